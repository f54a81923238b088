// Mixed precision and compressed gradients: replicas still train as one does, as closely as 16 bits allow, and an
// overflow is skipped by all of them alike.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "engine/cpu/cpu_backend.h"
#include "engine/plan/loss_scaling.h"
#include "engine/plan/plan_step.h"
#include "engine/reference/reference_backend.h"
#include "engine/runtime/step_engine.h"
#include "tests/support/oversubscribed_backend.h"

namespace dtbench {
namespace {

constexpr std::int64_t kGlobalBatch = 48;
constexpr std::uint64_t kSeed = 11;

StepPlan plan_for(int replicas, const std::string& precision, const std::string& compression = "none") {
  StepRequest request;
  request.model_options = {{"hidden", 40}, {"layers", 2}, {"inputs", 30}, {"classes", 10}};
  request.precision = precision;
  request.gradient_compression = compression;
  request.replicas = replicas;
  request.shape = {1, replicas};
  request.batch_per_replica = kGlobalBatch / replicas;
  request.bucket_bytes = 4000;  // several buckets
  return plan_step(request);
}

std::unique_ptr<EngineSession> session_of(const Backend& backend, StepPlan plan) {
  auto session = open_session(backend, std::move(plan), {1, 60, kSeed});
  initialize_parameters(*session, kSeed);
  return session;
}

const RankClass& class_of(const EngineSession& session) { return session.plan().classes.front(); }

std::vector<double> parameters_of(const EngineSession& session, int rank) {
  std::vector<double> all;
  for (const TensorId parameter : model_parameters(class_of(session))) {
    const auto values = session.read(rank, parameter);
    all.insert(all.end(), values.begin(), values.end());
  }
  return all;
}

double loss_of(const EngineSession& session) {
  double loss = 0;
  for (int rank = 0; rank < session.plan().ranks; ++rank) loss += session.read(rank, class_of(session).loss).at(0);
  return loss;
}

struct Tolerance {
  double parameters = 0, losses = 0;  ///< of the largest parameter after one step; relative, over 20 steps
};

void expect_same_training(const Backend& backend, const StepPlan& a, const StepPlan& b, const Tolerance& tolerance) {
  const auto one = session_of(backend, a), other = session_of(backend, b);
  double first = 0;
  for (int step = 0; step < 20; ++step) {
    one->run(1, false);
    other->run(1, false);
    const double expected = loss_of(*one);
    if (step == 0) first = expected;
    EXPECT_NEAR(loss_of(*other) / expected, 1, tolerance.losses) << "step " << step << ", seed " << kSeed;
    for (int rank = 1; rank < b.ranks; ++rank) ASSERT_EQ(parameters_of(*other, rank), parameters_of(*other, 0));
    if (step > 0) continue;
    const auto p = parameters_of(*one, 0), q = parameters_of(*other, 0);
    double largest = 0, difference = 0;
    for (std::size_t i = 0; i < p.size(); ++i) {
      largest = std::max(largest, std::abs(p[i]));
      difference = std::max(difference, std::abs(p[i] - q.at(i)));
    }
    EXPECT_LE(difference / largest, tolerance.parameters);
  }
  EXPECT_LT(loss_of(*other), 0.9 * first) << "it does not learn";
}

// 8 and 11 bits of gradients, times the learning rate; over 20 steps the differences add up.
constexpr Tolerance kBfloat16{2e-3, 3e-2}, kFloat16{3e-4, 4e-3};

Tolerance tolerance_of(const std::string& type) {
  return type.ends_with("bfloat16") ? kBfloat16 : kFloat16;
}

void expect_agreement(const Backend& backend) {
  for (const std::string precision : {"mixed_bfloat16", "mixed_float16"}) {
    for (const int replicas : {2, 3}) {
      SCOPED_TRACE(testing::Message() << precision << " on " << replicas);
      expect_same_training(backend, plan_for(1, precision), plan_for(replicas, precision), tolerance_of(precision));
    }
    SCOPED_TRACE(testing::Message() << precision << " against float32");
    expect_same_training(backend, plan_for(1, "float32"), plan_for(1, precision), tolerance_of(precision));
  }
}

TEST(PrecisionAgreement, ReplicasTrainAsOneOnTheReferenceBackend) { expect_agreement(*make_reference_backend()); }
TEST(PrecisionAgreement, ReplicasTrainAsOneOnTheCpuBackend) {
  expect_agreement(OversubscribedBackend(make_cpu_backend(), 6));
}

TEST(PrecisionAgreement, CompressedGradientsTrainAsWholeOnes) {
  const OversubscribedBackend backend(make_cpu_backend(), 6);
  for (const std::string type : {"bfloat16", "float16"})
    for (const int replicas : {2, 3}) {
      SCOPED_TRACE(testing::Message() << type << " on " << replicas);
      const StepPlan compressed = plan_for(replicas, "float32", type);
      ASSERT_EQ(check_plan(compressed), "");
      expect_same_training(backend, plan_for(1, "float32"), compressed, tolerance_of(type));
    }
}

TEST(GradientCompression, HalvesTheBytesOnTheWireAndNothingElseAndNothingOnOneDevice) {
  EXPECT_EQ(plan_for(1, "float32", "bfloat16"), plan_for(1, "float32"));
  const StepPlan whole = plan_for(2, "float32"), compressed = plan_for(2, "float32", "float16");
  std::vector<std::int64_t> bytes, half;
  for (const PlanOp& op : whole.classes.front().ops)
    if (op.collective) bytes.push_back(op.collective->bytes);
  for (const PlanOp& op : compressed.classes.front().ops)
    if (op.collective) half.push_back(2 * op.collective->bytes);
  EXPECT_GT(bytes.size(), 1U);
  EXPECT_EQ(bytes, half);
  EXPECT_EQ(compressed.classes.front().ops.size(), whole.classes.front().ops.size() + 2 * bytes.size());
}

void expect_overflow_skipped(const Backend& backend) {
  const auto session = session_of(backend, plan_for(2, "mixed_float16"));
  const LossScale state = loss_scale_of(class_of(*session));
  ASSERT_NE(state.scale, kNoTensor);
  session->run(3, false);
  EXPECT_EQ(session->read(0, state.scale).at(0), kInitialLossScale);
  EXPECT_EQ(session->read(1, state.counters), (std::vector<double>{3, 0, 0}));

  const double huge = std::ldexp(1.0, 40);  // gradients of 1e-3 times this do not fit into a float16
  for (const int rank : {0, 1}) session->write(rank, state.scale, std::vector<double>{huge});
  const auto before = parameters_of(*session, 0);
  session->run(1, false);
  for (const int rank : {0, 1}) {
    EXPECT_EQ(parameters_of(*session, rank), before) << "rank " << rank;
    EXPECT_EQ(session->read(rank, state.scale).at(0), huge / 2);
    const auto counters = session->read(rank, state.counters);
    EXPECT_EQ(counters[0], 0);
    EXPECT_EQ(counters[1], 1);
    EXPECT_NE(culprit_name(class_of(*session), static_cast<int>(counters[2])), "");
  }

  // Halved until the gradients fit again, then training goes on.
  session->run(40, false);
  const double skipped = session->read(0, state.counters).at(1);
  EXPECT_GT(skipped, 1);
  EXPECT_LT(skipped, 40);
  EXPECT_EQ(session->read(0, state.scale).at(0), huge / std::exp2(skipped));
  EXPECT_NE(parameters_of(*session, 0), before);
  EXPECT_EQ(parameters_of(*session, 0), parameters_of(*session, 1));
  for (const double value : parameters_of(*session, 0)) ASSERT_TRUE(std::isfinite(value));
}

TEST(LossScale, AnOverflowIsSkippedByAllReplicasOnTheReferenceBackend) {
  expect_overflow_skipped(*make_reference_backend());
}
TEST(LossScale, AnOverflowIsSkippedByAllReplicasOnTheCpuBackend) {
  expect_overflow_skipped(OversubscribedBackend(make_cpu_backend(), 2));
}

// Only one replica overflows; the sum tells the other.
TEST(LossScale, AnOverflowOfOneReplicaIsSkippedByTheOtherToo) {
  const OversubscribedBackend backend(make_cpu_backend(), 2);
  const auto session = session_of(backend, plan_for(2, "mixed_float16"));
  const LossScale state = loss_scale_of(class_of(*session));
  session->write(1, state.scale, std::vector<double>{std::ldexp(1.0, 60)});
  const auto before = parameters_of(*session, 0);
  session->run(1, false);
  for (const int rank : {0, 1}) {
    EXPECT_EQ(parameters_of(*session, rank), before);
    EXPECT_EQ(session->read(rank, state.counters).at(1), 1);
  }
}

}  // namespace
}  // namespace dtbench
