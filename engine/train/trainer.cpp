#include "engine/train/trainer.h"

#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <cmath>

#include "engine/plan/loss_scaling.h"
#include "engine/train/data/epoch_order.h"
#include "engine/train/data/plan_inputs.h"
#include "engine/train/evaluation.h"
#include "topologies/base/error.h"

namespace dtbench {

namespace {

constexpr std::int64_t kStepsPerLossSample = 20;
constexpr std::int64_t kLargestEvaluationBatch = 500;

void require_fit(const StepPlan& plan, const TrainingData& data) {
  data.train->require_fit(plan);
  loss_inputs(plan);  // one loss, or there is no accuracy to report
  if (plan.global_batch > data.train->examples())
    throw_bad_input({"--global-batch", fmt::format("{}", plan.global_batch),
                     fmt::format("at most the {} training examples", data.train->examples()), ""});
}

// As large as training's, whose activations fit.
StepRequest evaluation_request(const StepRequest& request, const ExampleSet& test) {
  StepRequest evaluation = request;
  evaluation.strategy = "single";
  evaluation.replicas = 1;
  evaluation.shape = {};
  evaluation.batch_per_replica = std::min({kLargestEvaluationBatch, test.examples(), request.batch_per_replica});
  return evaluation;
}

// Mean loss per example of the global batch: each replica's loss is already scaled by 1 / global batch.
double global_loss(const EngineSession& session) {
  const StepPlan& plan = session.plan();
  double loss = 0;
  for (int rank = 0; rank < plan.ranks; ++rank) loss += session.read(rank, plan.classes.front().loss).front();
  return loss;
}

std::optional<LossScaleOutcome> loss_scale_outcome(const EngineSession& session) {
  const RankClass& cls = session.plan().classes.front();
  const LossScale state = loss_scale_of(cls);
  if (state.scale == kNoTensor) return std::nullopt;
  const std::vector<double> counters = session.read(0, state.counters);
  LossScaleOutcome outcome{session.read(0, state.scale).front(), static_cast<std::int64_t>(counters[1]), ""};
  if (outcome.skipped_steps > 0) outcome.culprit = culprit_name(cls, static_cast<int>(counters[2]));
  return outcome;
}

// One run of the whole training: the session and where in the data it stands.
class Training {
 public:
  Training(const Backend& backend, const StepRequest& request, const TrainingData& data, const EngineOptions& options)
      : data_(data),
        order_(data.train->examples(), options.seed),
        session_(open_session(backend, plan_step(request), options)) {
    const StepPlan& plan = session_->plan();
    require_fit(plan, data);
    steps_per_epoch_ = data.train->examples() / plan.global_batch;
    initialize_parameters(*session_, options.seed);
    session_->set_input(
        [this](int replica, std::int64_t step, std::span<InputField> fields) { fill_batch(replica, step, fields); });
  }

  EpochOutcome run_epoch(int epoch) {
    order_.start_epoch(epoch - 1);
    double loss_sum = 0;
    int loss_samples = 0;
    const auto start = std::chrono::steady_clock::now();
    for (std::int64_t done = 0; done < steps_per_epoch_;) {
      const std::int64_t steps = std::min(kStepsPerLossSample, steps_per_epoch_ - done);
      session_->run(static_cast<int>(steps), false);
      done += steps;
      loss_sum += finite_loss(epoch, done);
      ++loss_samples;
    }
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    const double samples = static_cast<double>(steps_per_epoch_ * session_->plan().global_batch);
    return {epoch, seconds, loss_sum / loss_samples, 0, 0, samples / seconds};
  }

  const EngineSession& session() const { return *session_; }

 private:
  void fill_batch(int replica, std::int64_t step, std::span<const InputField> fields) const {
    const StepPlan& plan = session_->plan();
    const std::int64_t batch = plan.batch_per_replica;
    const std::int64_t first = step % steps_per_epoch_ * plan.global_batch + replica * batch;
    for (std::int64_t i = 0; i < batch; ++i) data_.train->fill(order_.example(first + i), i, batch, fields);
  }

  double finite_loss(int epoch, std::int64_t step) const {
    const double loss = global_loss(*session_);
    if (!std::isfinite(loss))
      throw Error(ExitCode::run_failed, {fmt::format("epoch {}, step {}", epoch, step), fmt::format("loss {}", loss),
                                         "a finite loss", "lower --lr or choose another --seed"});
    return loss;
  }

  const TrainingData& data_;
  EpochOrder order_;
  std::unique_ptr<EngineSession> session_;
  std::int64_t steps_per_epoch_ = 0;
};

}  // namespace

std::vector<EpochOutcome> train(const Backend& backend, const StepRequest& request, const TrainingData& data,
                                const TrainingOptions& options,
                                const std::function<void(const EpochOutcome&)>& after_epoch) {
  Training training(backend, request, data, options.engine);
  const auto evaluator =
      open_session(backend, plan_evaluation(evaluation_request(request, *data.test)), options.engine);
  std::vector<EpochOutcome> outcomes;
  for (int epoch = 1; epoch <= options.epochs; ++epoch) {
    outcomes.push_back(training.run_epoch(epoch));
    outcomes.back().loss_scale = loss_scale_outcome(training.session());
    const Evaluation test = evaluate(training.session(), *evaluator, *data.test);
    outcomes.back().test_accuracy = test.accuracy;
    outcomes.back().test_loss = test.loss;
    if (after_epoch) after_epoch(outcomes.back());
    if (options.target_accuracy && outcomes.back().test_accuracy >= *options.target_accuracy) break;
  }
  return outcomes;
}

}  // namespace dtbench
