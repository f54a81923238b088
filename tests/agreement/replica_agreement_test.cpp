// N replicas train as one does at the same global batch, whatever the back end, the collective and its shape; and the
// engine runs the operations of the plan, no more, no less, in its order.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "engine/cpu/cpu_backend.h"
#include "engine/plan/plan_step.h"
#include "engine/reference/float64_plan.h"
#include "engine/reference/reference_backend.h"
#include "engine/runtime/step_engine.h"
#include "tests/support/oversubscribed_backend.h"

namespace dtbench {
namespace {

constexpr std::int64_t kGlobalBatch = 48;
constexpr int kSteps = 20;
constexpr std::uint64_t kSeed = 11;

StepPlan plan_for(GroupShape shape, const std::string& collective, const BackendTraits& traits) {
  StepRequest request;
  request.model_options = {{"hidden", 40}, {"layers", 2}, {"inputs", 30}, {"classes", 10}};
  request.strategy = shape.ranks() == 1 ? "single" : "mirrored";
  request.replicas = shape.ranks();
  request.shape = shape;
  request.batch_per_replica = kGlobalBatch / shape.ranks();
  request.bucket_bytes = 4000;  // several buckets
  request.collective = collective;
  request.traits = traits;
  return plan_step(request);
}

/// What a training run leaves: parameters after one step, by name, and the loss of each step.
struct Training {
  std::map<std::string, std::vector<double>> parameters;
  std::vector<double> losses;
};

Training train(const Backend& backend, const StepPlan& plan) {
  const auto session = open_session(backend, plan, {1, 60, kSeed});
  initialize_parameters(*session, kSeed);
  Training result;
  const RankClass& rank_class = plan.classes[0];
  for (int step = 0; step < kSteps; ++step) {
    session->run(1, false);
    double loss = 0;  // a replica's loss is its share of the mean over the global batch
    for (int rank = 0; rank < plan.ranks; ++rank) loss += session->read(rank, rank_class.loss).at(0);
    result.losses.push_back(loss);
    if (step > 0) continue;
    for (const TensorId parameter : model_parameters(rank_class)) {
      const auto values = session->read(0, parameter);
      for (int rank = 1; rank < plan.ranks; ++rank)
        EXPECT_EQ(session->read(rank, parameter), values) << "rank " << rank << " differs from rank 0";
      result.parameters[rank_class.tensors[static_cast<std::size_t>(parameter)].name] = values;
    }
  }
  return result;
}

// Largest difference over the largest value of the tensor, the worst over tensors.
double parameter_difference(const Training& a, const Training& b) {
  EXPECT_EQ(a.parameters.size(), b.parameters.size());
  double worst = 0;
  for (const auto& [name, values] : a.parameters) {
    const auto& others = b.parameters.at(name);
    double difference = 0, largest = 0;
    for (std::size_t i = 0; i < values.size(); ++i) {
      difference = std::max(difference, std::abs(values[i] - others.at(i)));
      largest = std::max(largest, std::abs(values[i]));
    }
    worst = std::max(worst, difference / largest);
  }
  return worst;
}

double loss_difference(const Training& a, const Training& b) {
  double worst = 0;
  for (std::size_t i = 0; i < a.losses.size(); ++i)
    worst = std::max(worst, std::abs(a.losses[i] - b.losses.at(i)) / std::abs(a.losses[i]));
  return worst;
}

struct Spread {
  GroupShape shape;
  std::string collective;
};
const Spread kSpreads[] = {
    {{1, 2}, "ring"}, {{1, 3}, "ring"}, {{2, 2}, "ring"}, {{2, 2}, "hierarchical"}, {{3, 2}, "hierarchical"}};

void expect_replicas_equal_one(const Backend& backend, double parameter_tolerance, double loss_tolerance,
                               StepPlan (*change)(StepPlan, const BackendTraits&)) {
  const BackendTraits traits = backend.traits();
  const Training one = train(backend, change(plan_for({1, 1}, "auto", traits), traits));
  EXPECT_LT(one.losses.back(), 0.9 * one.losses.front()) << "it does not learn";
  for (const Spread& spread : kSpreads) {
    SCOPED_TRACE(testing::Message() << spread.shape.nodes << "x" << spread.shape.per_node << " " << spread.collective
                                    << ", seed " << kSeed);
    const Training many = train(backend, change(plan_for(spread.shape, spread.collective, traits), traits));
    EXPECT_LE(parameter_difference(one, many), parameter_tolerance);
    EXPECT_LE(loss_difference(one, many), loss_tolerance);
  }
}

StepPlan unchanged(StepPlan plan, const BackendTraits&) { return plan; }

TEST(ReplicaAgreement, HoldsInFloat64OnTheReferenceBackend) {
  expect_replicas_equal_one(*make_reference_backend(), 1e-12, 1e-12, to_float64);
}

TEST(ReplicaAgreement, HoldsInFloat32OnTheReferenceBackend) {
  expect_replicas_equal_one(*make_reference_backend(), 1e-5, 1e-3, unchanged);
}

TEST(ReplicaAgreement, HoldsInFloat32OnTheCpuBackend) {
  expect_replicas_equal_one(OversubscribedBackend(make_cpu_backend(), 6), 1e-5, 1e-3, unchanged);
}

TEST(ReplicaAgreement, CpuAndReferenceTrainAlike) {
  const auto reference = make_reference_backend();
  const auto cpu = make_cpu_backend();
  const Training a = train(*reference, plan_for({1, 1}, "auto", reference->traits()));
  const Training b = train(*cpu, plan_for({1, 1}, "auto", cpu->traits()));
  EXPECT_LE(parameter_difference(a, b), 1e-5);
  EXPECT_LE(loss_difference(a, b), 1e-3);
}

TEST(ReplicaAgreement, TheSameRunTwiceIsBitIdentical) {
  const OversubscribedBackend backend(make_cpu_backend(), 3);
  const StepPlan plan = plan_for({1, 3}, "ring", backend.traits());
  const Training a = train(backend, plan), b = train(backend, plan);
  EXPECT_EQ(a.losses, b.losses);
  EXPECT_EQ(a.parameters, b.parameters);
}

// The trace has one span for each op of the rank's class, in op order; every stream runs its ops in the plan's order,
// and no op begins before what it depends on has ended.
TEST(EnginePlanAgreement, RunsExactlyTheOperationsOfThePlanInItsOrder) {
  const OversubscribedBackend backend(make_cpu_backend(), 4);
  StepEngine engine(backend, {});
  for (const Spread& spread : {Spread{{1, 1}, "auto"}, Spread{{1, 2}, "ring"}, Spread{{2, 2}, "hierarchical"}}) {
    const StepPlan plan = plan_for(spread.shape, spread.collective, backend.traits());
    for (const StepTrace& trace : engine.run(plan, 3)) {
      ASSERT_EQ(trace.ranks.size(), static_cast<std::size_t>(plan.ranks));
      for (const RankTrace& rank : trace.ranks) {
        const auto& ops = plan.classes[static_cast<std::size_t>(rank.rank_class)].ops;
        ASSERT_EQ(rank.spans.size(), ops.size());
        std::map<Stream, double> stream_end;
        for (std::size_t i = 0; i < ops.size(); ++i) {
          const OpSpan& span = rank.spans[i];
          ASSERT_EQ(span.op, static_cast<OpId>(i));
          EXPECT_GE(span.start_seconds, stream_end[ops[i].stream]) << ops[i].name;
          stream_end[ops[i].stream] = span.end_seconds;
          for (const Dependency& after : ops[i].after) {
            if (after.step_distance > 0) continue;
            EXPECT_GE(span.start_seconds, rank.spans[static_cast<std::size_t>(after.op)].end_seconds) << ops[i].name;
          }
        }
      }
    }
  }
}

TEST(EnginePlanAgreement, TakesTheMemoryOfThePlan) {
  const auto backend = make_reference_backend();
  const StepPlan plan = plan_for({1, 2}, "ring", backend->traits());
  const auto session = open_session(*backend, plan, {});
  for (int rank = 0; rank < 2; ++rank) EXPECT_EQ(session->arena_bytes(rank), plan.classes[0].memory.arena_bytes);
}

}  // namespace
}  // namespace dtbench
