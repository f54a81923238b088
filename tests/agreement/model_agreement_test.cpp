// Every model family at a small size: the gradient of the whole loss against finite differences, the CPU back end
// against the reference, several replicas against one with dropout on and batch norm over the global batch.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "engine/cpu/cpu_backend.h"
#include "engine/plan/models/model.h"
#include "engine/plan/plan_step.h"
#include "engine/reference/float64_plan.h"
#include "engine/reference/reference_backend.h"
#include "engine/runtime/engine_session.h"
#include "engine/runtime/input_source.h"
#include "tests/support/oversubscribed_backend.h"
#include "tests/support/small_models.h"

namespace dtbench {
namespace {

constexpr std::int64_t kGlobalBatch = 12;
constexpr std::uint64_t kSeed = 5;

/// A little larger than for plans alone: numbers that are all 0 agree too easily.
ModelOptions run_options(const std::string& family) {
  ModelOptions options = small_options(family);
  if (family == "resnet") options["width"] = 4;
  if (family == "vgg" || family == "alexnet") {
    options["width"] = 4;
    options["hidden"] = 16;
  }
  if (family == "bert" || family == "gpt") {
    options["hidden"] = 12;
    options["layers"] = 2;
    options["seq-len"] = 9;
    options["positions"] = family == "bert" ? 11 : 9;
    options["vocab"] = 13;
  }
  return options;
}

StepRequest request_for(const std::string& family, int replicas, const BackendTraits& traits) {
  StepRequest request;
  request.model = family;
  request.model_options = run_options(family);
  request.strategy = replicas == 1 ? "single" : "mirrored";
  request.replicas = replicas;
  request.shape = {1, replicas};
  request.batch_per_replica = kGlobalBatch / replicas;
  request.sync_batch_norm = family == "resnet";
  request.bucket_bytes = 2000;
  request.traits = traits;
  return request;
}

bool has_dropout(const ModelOptions& options) { return options.count("dropout-percent") != 0; }

std::vector<std::string> families() {
  std::vector<std::string> names;
  for (const ModelFamily& family : model_families()) names.emplace_back(family.name);
  return names;
}

class EveryFamily : public testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Models, EveryFamily, testing::ValuesIn(families()),
                         [](const auto& family) { return family.param; });

struct Training {
  std::map<std::string, std::vector<double>> parameters;  ///< after the last step
  std::vector<double> losses;
};

Training train(const Backend& backend, const StepPlan& plan, int steps) {
  const auto session = open_session(backend, plan, {1, 60, kSeed});
  initialize_parameters(*session, kSeed);
  Training result;
  const RankClass& cls = plan.classes[0];
  for (int step = 0; step < steps; ++step) {
    session->run(1, false);
    double loss = 0;  // a replica's loss is its share of the mean over the global batch
    for (int rank = 0; rank < plan.ranks; ++rank) loss += session->read(rank, cls.loss).at(0);
    result.losses.push_back(loss);
  }
  for (const TensorId parameter : model_parameters(cls))
    result.parameters[cls.tensors[static_cast<std::size_t>(parameter)].name] = session->read(0, parameter);
  return result;
}

double largest(const std::vector<double>& values) {
  double most = 0;
  for (const double value : values) most = std::max(most, std::abs(value));
  return most;
}

// Largest difference over the largest value of the tensor, the worst over tensors.
void expect_alike(const Training& a, const Training& b, double parameter_tolerance, double loss_tolerance) {
  for (const auto& [name, values] : a.parameters) {
    std::vector<double> difference = values;
    for (std::size_t i = 0; i < values.size(); ++i) difference[i] -= b.parameters.at(name).at(i);
    EXPECT_LE(largest(difference), parameter_tolerance * largest(values)) << name;
  }
  for (std::size_t i = 0; i < a.losses.size(); ++i)
    EXPECT_NEAR(a.losses[i], b.losses.at(i), loss_tolerance * std::abs(a.losses[i])) << "step " << i;
}

/// One step after the other on the same batch, without learning: the loss as a function of the parameters.
class LossFunction {
 public:
  explicit LossFunction(const std::string& family) {
    const auto backend = make_reference_backend();
    StepRequest request = request_for(family, 1, backend->traits());
    request.learning_rate = 0;
    if (has_dropout(complete_options(family))) request.model_options["dropout-percent"] = 0;
    plan_ = to_float64(plan_step(request), backend->traits());
    session_ = open_session(*backend, plan_, {1, 60, kSeed});
    initialize_parameters(*session_, kSeed);
    const InputFill generated = generated_input(plan_, kSeed);
    session_->set_input(
        [generated](int replica, std::int64_t, std::span<InputField> fields) { generated(replica, 0, fields); });
  }

  const RankClass& rank_class() const { return plan_.classes[0]; }
  EngineSession& session() { return *session_; }

  double loss() {
    session_->run(1, false);
    return session_->read(0, rank_class().loss).at(0);
  }

  /// The gradient of `parameter` in the last step.
  std::vector<double> gradient(TensorId parameter) {
    const std::string name = rank_class().tensors[static_cast<std::size_t>(parameter)].name + "/gradient";
    for (std::size_t t = 0; t < rank_class().tensors.size(); ++t)
      if (rank_class().tensors[t].name == name) return session_->read(0, static_cast<TensorId>(t));
    ADD_FAILURE() << "no tensor " << name;
    return {};
  }

 private:
  StepPlan plan_;
  std::unique_ptr<EngineSession> session_;
};

// Two elements of every parameter. The step is small enough that few relu's pass their kink.
TEST_P(EveryFamily, HasTheGradientOfFiniteDifferences) {
  constexpr double kStep = 1e-6;
  LossFunction function(GetParam());
  function.loss();
  std::map<TensorId, std::vector<double>> gradients;
  double most = 0;
  for (const TensorId parameter : model_parameters(function.rank_class())) {
    gradients[parameter] = function.gradient(parameter);
    most = std::max(most, largest(gradients[parameter]));
  }
  ASSERT_GT(most, 1e-3);
  for (const auto& [parameter, gradient] : gradients) {
    const std::string& name = function.rank_class().tensors[static_cast<std::size_t>(parameter)].name;
    const std::vector<double> values = function.session().read(0, parameter);
    for (const std::size_t i : {std::size_t{0}, values.size() * 2 / 3}) {
      std::vector<double> moved = values;
      moved[i] = values[i] + kStep;
      function.session().write(0, parameter, moved);
      const double above = function.loss();
      moved[i] = values[i] - kStep;
      function.session().write(0, parameter, moved);
      const double below = function.loss();
      EXPECT_NEAR((above - below) / (2 * kStep), gradient[i], 1e-5 * most) << name << "[" << i << "]";
    }
    function.session().write(0, parameter, values);
  }
}

TEST_P(EveryFamily, TrainsAlikeOnCpuAndReference) {
  const auto reference = make_reference_backend();
  const auto cpu = make_cpu_backend();
  const Training a = train(*reference, plan_step(request_for(GetParam(), 1, reference->traits())), 3);
  const Training b = train(*cpu, plan_step(request_for(GetParam(), 1, cpu->traits())), 3);
  expect_alike(a, b, 1e-4, 1e-4);
}

TEST_P(EveryFamily, TrainsAlikeOnOneTwoAndThreeReplicasInFloat64) {
  const auto backend = make_reference_backend();
  const auto plan = [&](int replicas) {
    return to_float64(plan_step(request_for(GetParam(), replicas, backend->traits())), backend->traits());
  };
  const Training one = train(*backend, plan(1), 4);
  for (const int replicas : {2, 3}) {
    SCOPED_TRACE(replicas);
    expect_alike(one, train(*backend, plan(replicas), 4), 1e-9, 1e-9);
  }
}

TEST_P(EveryFamily, TrainsAlikeOnOneTwoAndThreeReplicasOnTheCpu) {
  const OversubscribedBackend backend(make_cpu_backend(), 3);
  const auto plan = [&](int replicas) { return plan_step(request_for(GetParam(), replicas, backend.traits())); };
  const Training one = train(backend, plan(1), 1);
  for (const int replicas : {2, 3}) {
    SCOPED_TRACE(replicas);
    expect_alike(one, train(backend, plan(replicas), 1), 1e-5, 1e-5);
  }
}

TEST_P(EveryFamily, LearnsItsGeneratedInput) {
  if (GetParam() == "vgg" || GetParam() == "alexnet") GTEST_SKIP() << "deep and 4 channels wide, without normalisation";
  const auto cpu = make_cpu_backend();
  StepRequest request = request_for(GetParam(), 1, cpu->traits());
  if (has_dropout(complete_options(GetParam()))) request.model_options["dropout-percent"] = 0;
  const Training run = train(*cpu, plan_step(request), 60);
  double begin = 0, end = 0;
  for (std::size_t i = 0; i < 10; ++i) {
    begin += run.losses[i];
    end += run.losses[run.losses.size() - 1 - i];
  }
  EXPECT_LT(end, 0.97 * begin);
}

}  // namespace
}  // namespace dtbench
