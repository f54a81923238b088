// Trains a planned model on a data set: epochs of steps, a shuffled order, accuracy and loss after each epoch.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "engine/plan/plan_step.h"
#include "engine/runtime/engine_session.h"
#include "engine/train/data/example_set.h"

namespace dtbench {

struct TrainingOptions {
  int epochs = 5;
  std::optional<double> target_accuracy;  ///< stop after the epoch that reaches it
  EngineOptions engine;                   ///< its seed also draws parameters and order
};

/// The dynamic loss scale after an epoch, and what it did since the training began.
struct LossScaleOutcome {
  double scale = 0;
  std::int64_t skipped_steps = 0;
  std::string culprit;  ///< gradient that was not finite in the last skipped step; "" when none was skipped
};

struct EpochOutcome {
  int epoch = 0;             ///< 1, 2, ...
  double seconds = 0;        ///< training only, without evaluation
  double train_loss = 0;     ///< mean over sampled steps, of the mean loss per example of the global batch
  double test_accuracy = 0;  ///< of classes, or of next tokens
  double test_loss = 0;      ///< mean of -ln p(label) over the test set
  double samples_per_second = 0;
  std::optional<LossScaleOutcome> loss_scale = {};  ///< of precisions that have one
};

/// The examples left over after the last whole global batch of an epoch are dropped (another order brings them back in
/// the next). Errors: a global batch larger than the data set, a model whose input does not fit, a loss that is not
/// finite (exit 4, naming the step). `after_epoch` sees each outcome as it comes.
std::vector<EpochOutcome> train(const Backend& backend, const StepRequest& request, const TrainingData& data,
                                const TrainingOptions& options,
                                const std::function<void(const EpochOutcome&)>& after_epoch);

}  // namespace dtbench
