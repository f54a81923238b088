// How well trained parameters do on a data set, by the forward part of the same model's plan.
#pragma once

#include "engine/runtime/engine_session.h"
#include "engine/train/data/example_set.h"

namespace dtbench {

struct Evaluation {
  double accuracy = 0;  ///< share of labels whose logit is the largest
  double loss = 0;      ///< mean of -ln p(label)
};

/// Copies the parameters and states of rank 0 of `trained` into `evaluator`, a session of `plan_evaluation` for the
/// same model, and runs all examples; the last batch is padded and the padding not counted.
Evaluation evaluate(const EngineSession& trained, EngineSession& evaluator, const ExampleSet& examples);

}  // namespace dtbench
