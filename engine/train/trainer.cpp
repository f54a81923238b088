#include "engine/train/trainer.h"

#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <cmath>

#include "engine/train/data/epoch_order.h"
#include "engine/train/evaluation.h"
#include "topologies/base/error.h"

namespace dtbench {

namespace {

constexpr std::int64_t kStepsPerLossSample = 20;
constexpr std::int64_t kEvaluationBatch = 500;

// Elements per example of the input tensor, as the model was planned.
std::int64_t planned_features(const StepPlan& plan) {
  for (const Tensor& tensor : plan.classes.front().tensors)
    if (tensor.role == TensorRole::input) return tensor.elements() / plan.batch_per_replica;
  throw_bad_input({"--model", fmt::format("'{}' without an input tensor", plan.model), "a model with one input", ""});
}

// Columns of the logits.
std::int64_t planned_classes(const StepPlan& plan) {
  const RankClass& cls = plan.classes.front();
  for (const PlanOp& op : cls.ops)
    if (op.kind == "softmax_cross_entropy")
      return cls.tensors[static_cast<std::size_t>(op.inputs.front())].shape.back();
  throw_bad_input({"--model", fmt::format("'{}' without softmax_cross_entropy", plan.model), "a classifier", ""});
}

void require_fit(const StepPlan& plan, const SplitDataset& data) {
  if (planned_classes(plan) < data.classes)
    throw_bad_input({"--classes", fmt::format("{}", planned_classes(plan)),
                     fmt::format("at least the {} of {}", data.classes, data.name), ""});
  if (planned_features(plan) != data.train.features)
    throw_bad_input({"--model", fmt::format("{} inputs per example", planned_features(plan)),
                     fmt::format("{} as in {}", data.train.features, data.name), ""});
  if (plan.global_batch > data.train.examples)
    throw_bad_input({"--global-batch", fmt::format("{}", plan.global_batch),
                     fmt::format("at most the {} training examples", data.train.examples), ""});
}

StepRequest evaluation_request(const StepRequest& request, const Dataset& test) {
  StepRequest evaluation = request;
  evaluation.strategy = "single";
  evaluation.replicas = 1;
  evaluation.shape = {};
  evaluation.batch_per_replica = std::min(kEvaluationBatch, test.examples);
  return evaluation;
}

// Mean loss per example of the global batch: each replica's loss is already scaled by 1 / global batch.
double global_loss(const EngineSession& session) {
  const StepPlan& plan = session.plan();
  double loss = 0;
  for (int rank = 0; rank < plan.ranks; ++rank) loss += session.read(rank, plan.classes.front().loss).front();
  return loss;
}

// One run of the whole training: the session and where in the data it stands.
class Training {
 public:
  Training(const Backend& backend, const StepRequest& request, const SplitDataset& data, const EngineOptions& options)
      : data_(data),
        order_(data.train.examples, options.seed),
        session_(open_session(backend, plan_step(request), options)) {
    const StepPlan& plan = session_->plan();
    require_fit(plan, data);
    steps_per_epoch_ = data.train.examples / plan.global_batch;
    initialize_parameters(*session_, options.seed);
    session_->set_input([this](int replica, std::int64_t step, std::span<float> features,
                               std::span<std::int32_t> labels) { fill_batch(replica, step, features, labels); });
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
    return {epoch, seconds, loss_sum / loss_samples, 0, samples / seconds};
  }

  const EngineSession& session() const { return *session_; }

 private:
  void fill_batch(int replica, std::int64_t step, std::span<float> features, std::span<std::int32_t> labels) const {
    const StepPlan& plan = session_->plan();
    const std::int64_t first = step % steps_per_epoch_ * plan.global_batch + replica * plan.batch_per_replica;
    const auto width = static_cast<std::size_t>(data_.train.features);
    for (std::size_t i = 0; i < labels.size(); ++i)
      data_.train.fill(order_.example(first + static_cast<std::int64_t>(i)), features.subspan(i * width, width),
                       labels[i]);
  }

  double finite_loss(int epoch, std::int64_t step) const {
    const double loss = global_loss(*session_);
    if (!std::isfinite(loss))
      throw Error(ExitCode::run_failed, {fmt::format("epoch {}, step {}", epoch, step), fmt::format("loss {}", loss),
                                         "a finite loss", "lower --lr or choose another --seed"});
    return loss;
  }

  const SplitDataset& data_;
  EpochOrder order_;
  std::unique_ptr<EngineSession> session_;
  std::int64_t steps_per_epoch_ = 0;
};

}  // namespace

std::vector<EpochOutcome> train(const Backend& backend, const StepRequest& request, const SplitDataset& data,
                                const TrainingOptions& options,
                                const std::function<void(const EpochOutcome&)>& after_epoch) {
  Training training(backend, request, data, options.engine);
  const auto evaluator = open_session(backend, plan_evaluation(evaluation_request(request, data.test)), options.engine);
  std::vector<EpochOutcome> outcomes;
  for (int epoch = 1; epoch <= options.epochs; ++epoch) {
    outcomes.push_back(training.run_epoch(epoch));
    outcomes.back().test_accuracy = test_accuracy(training.session(), *evaluator, data.test);
    if (after_epoch) after_epoch(outcomes.back());
    if (options.target_accuracy && outcomes.back().test_accuracy >= *options.target_accuracy) break;
  }
  return outcomes;
}

}  // namespace dtbench
