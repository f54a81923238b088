#include "engine/plan/plan_step.h"

#include <gtest/gtest.h>

#include "tests/unit/plan/expect_error.h"

namespace dtbench {
namespace {

StepRequest small_request(int nodes = 1, int per_node = 1) {
  StepRequest request;
  request.model_options = {{"hidden", 32}, {"layers", 2}, {"inputs", 20}, {"classes", 10}};
  request.batch_per_replica = 8;
  request.replicas = nodes * per_node;
  request.shape = {nodes, per_node};
  request.bucket_bytes = 2000;
  return request;
}

OpId find(const RankClass& cls, const std::string& name) {
  for (std::size_t i = 0; i < cls.ops.size(); ++i)
    if (cls.ops[i].name == name) return static_cast<OpId>(i);
  ADD_FAILURE() << "no operation " << name;
  return 0;
}

const PlanOp& op_named(const RankClass& cls, const std::string& name) {
  return cls.ops[static_cast<std::size_t>(find(cls, name))];
}

std::vector<std::string> names(const RankClass& cls, OpType type) {
  std::vector<std::string> names;
  for (const PlanOp& op : cls.ops)
    if (op.type == type) names.push_back(op.name);
  return names;
}

TEST(PlanStep, CountsWhatTheReportNeeds) {
  const StepPlan plan = plan_step(small_request(2, 4));
  EXPECT_EQ(plan.ranks, 8);
  EXPECT_EQ(plan.nodes, 2);
  EXPECT_EQ(plan.replicas, 8);
  EXPECT_EQ(plan.batch_per_replica, 8);
  EXPECT_EQ(plan.global_batch, 64);
  EXPECT_EQ(plan.parameters, 21 * 32 + 33 * 32 + 33 * 10);
  const double dense = 2.0 * (20 * 32 + 32 * 32 + 32 * 10), bias = 32 + 32 + 10, relu = 64, loss = 50;
  EXPECT_EQ(plan.forward_flops_per_sample, dense + bias + relu + loss);
  EXPECT_EQ(plan.groups, (std::vector{Group{"data", {0, 8, 1}, 1, 0, {2, 4}}}));
}

TEST(PlanStep, ReducesABucketBesideBackwardAndUpdatesItAfterwards) {
  const StepPlan plan = plan_step(small_request(1, 4));
  const RankClass& cls = plan.classes.front();
  const PlanOp& reduce = op_named(cls, "bucket0/all_reduce");
  EXPECT_EQ(reduce.stream, Stream::communication);
  EXPECT_EQ(reduce.after, (std::vector{Dependency{find(cls, "layer2/bias/grad_bias"), 0, 0}}));
  EXPECT_EQ(op_named(cls, "bucket0/update").after, (std::vector{Dependency{find(cls, "bucket0/all_reduce"), 0, 0}}));
  EXPECT_EQ(reduce.collective->algorithm, "ring");
  EXPECT_EQ(reduce.collective->executed_by, ExecutedBy::schedule);
}

TEST(PlanStep, ReducesBetweenBackwardOperationsWithoutOverlap) {
  StepRequest request = small_request(1, 4);
  request.traits.overlaps_communication = false;
  request.traits.collectives = ExecutedBy::library;
  const StepPlan plan = plan_step(request);
  const RankClass& cls = plan.classes.front();
  const PlanOp& reduce = op_named(cls, "bucket0/all_reduce");
  EXPECT_EQ(reduce.stream, Stream::compute);
  EXPECT_EQ(reduce.collective->executed_by, ExecutedBy::library);
  EXPECT_EQ(find(cls, "bucket0/all_reduce"), find(cls, "layer2/bias/grad_bias") + 1);
}

TEST(PlanStep, ChoosesTheCollectiveByShape) {
  const auto algorithm = [](StepRequest request) {
    return op_named(plan_step(request).classes.front(), "bucket0/all_reduce").collective->algorithm;
  };
  EXPECT_EQ(algorithm(small_request(1, 2)), "ring");
  EXPECT_EQ(algorithm(small_request(2, 2)), "hierarchical");
  StepRequest ring = small_request(2, 2);
  ring.collective = "ring";
  EXPECT_EQ(algorithm(ring), "ring");
}

TEST(PlanStep, TransfersInputOnTheHostStreamWhenItIsPrefetched) {
  StepRequest request = small_request();
  EXPECT_EQ(plan_step(request).classes.front().ops.front().stream, Stream::compute);
  request.traits.prefetches_input = true;
  const StepPlan plan = plan_step(request);
  const RankClass& cls = plan.classes.front();
  const PlanOp& input = cls.ops.front();
  EXPECT_EQ(input.type, OpType::host_transfer);
  EXPECT_EQ(input.stream, Stream::host);
  EXPECT_EQ(input.bytes, 4 * (8 * 20 + 8));
  EXPECT_EQ(input.after, (std::vector{Dependency{find(cls, "layer1/dense/grad_weight"), 2, 0}}));
  EXPECT_EQ(op_named(cls, "layer1/dense/forward").after, (std::vector{Dependency{0, 0, 0}}));
  EXPECT_EQ(cls.memory.allocations.front().buffers, 2);
}

TEST(PlanStep, OfOneReplicaIsTheSameForSingleAndMirrored) {
  StepRequest request = small_request();
  StepPlan mirrored = plan_step(request);
  request.strategy = "single";
  const StepPlan single = plan_step(request);
  EXPECT_TRUE(names(single.classes.front(), OpType::collective).empty());
  mirrored.strategy = "single";
  EXPECT_EQ(mirrored, single);
}

TEST(PlanStep, DiffersBetweenReplicaCountsInCollectivesAndLossScaleOnly) {
  const StepPlan one_plan = plan_step(small_request(1, 1)), four_plan = plan_step(small_request(1, 4));
  const RankClass &one = one_plan.classes.front(), &four = four_plan.classes.front();
  EXPECT_EQ(names(one, OpType::compute), names(four, OpType::compute));
  EXPECT_EQ(names(four, OpType::collective).size(), 4u);
  EXPECT_EQ(op_named(one, "loss/forward").attributes.at("scale"), 1.0 / 8);
  EXPECT_EQ(op_named(four, "loss/forward").attributes.at("scale"), 1.0 / 32);
  EXPECT_EQ(op_named(four, "loss/gradient").attributes.at("scale"), 1.0 / 32);
}

TEST(PlanStep, UpdatesWholeBucketsInPlace) {
  StepRequest request = small_request();
  request.learning_rate = 0.125;
  request.momentum = 0.75;
  const StepPlan plan = plan_step(request);
  const RankClass& cls = plan.classes.front();
  const PlanOp& update = op_named(cls, "bucket0/update");
  EXPECT_EQ(update.kind, "sgd_momentum");
  EXPECT_EQ(update.outputs, (std::vector{update.inputs[0], update.inputs[2]}));
  EXPECT_EQ(update.attributes, (Attributes{{"learning_rate", 0.125}, {"momentum", 0.75}}));
  EXPECT_EQ(update.flops,
            4.0 * static_cast<double>(cls.tensors[static_cast<std::size_t>(update.inputs[0])].elements()));
}

TEST(ModelParameters, AreTheModelsAndNotTheBuckets) {
  const auto list = [](const RankClass& cls) {
    std::vector<std::string> names;
    for (const TensorId id : model_parameters(cls)) names.push_back(cls.tensors[static_cast<std::size_t>(id)].name);
    return names;
  };
  const std::vector<std::string> expected = {"layer1/weight", "layer1/bias",   "layer2/weight",
                                             "layer2/bias",   "output/weight", "output/bias"};
  EXPECT_EQ(list(plan_step(small_request()).classes.front()), expected);
  EXPECT_EQ(list(plan_evaluation(small_request()).classes.front()), expected);
}

TEST(PlanEvaluation, IsTheForwardPassOnOneReplica) {
  const StepPlan plan = plan_evaluation(small_request(2, 4));
  const RankClass& cls = plan.classes.front();
  EXPECT_EQ(plan.ranks, 1);
  EXPECT_EQ(plan.global_batch, 8);
  for (const PlanOp& op : cls.ops) EXPECT_TRUE(op.pass == PassKind::input || op.pass == PassKind::forward) << op.name;
  EXPECT_EQ(op_named(cls, "loss/forward").attributes.at("scale"), 1.0 / 8);
  EXPECT_EQ(cls.memory.use.gradients, 0);
  EXPECT_EQ(cls.memory.use.optimizer, 0);
  EXPECT_GE(cls.memory.use.weights, plan.parameters * 4);
}

TEST(PlanStep, RefusesWhatCannotBe) {
  const auto error = [](void (*change)(StepRequest&)) {
    StepRequest request = small_request(1, 4);
    change(request);
    return bad_input_of([&] { plan_step(request); });
  };
  EXPECT_EQ(error([](StepRequest& r) { r.strategy = "single"; }).found, "4 replicas with strategy 'single'");
  EXPECT_EQ(error([](StepRequest& r) { r.strategy = "mirored"; }).hint, "did you mean 'mirrored'?");
  EXPECT_EQ(error([](StepRequest& r) { r.collective = "rnig"; }).hint, "did you mean 'ring'?");
  EXPECT_EQ(error([](StepRequest& r) { r.collective = "hierarchical"; }).hint, "use 'auto'");
  EXPECT_EQ(error([](StepRequest& r) { r.optimizer = "adam"; }).where, "--optimizer");
  EXPECT_EQ(error([](StepRequest& r) { r.momentum = 1; }).where, "--momentum");
  EXPECT_EQ(error([](StepRequest& r) { r.learning_rate = -1; }).where, "--lr");
  EXPECT_EQ(error([](StepRequest& r) { r.bucket_bytes = 0; }).where, "--bucket-bytes");
  EXPECT_EQ(error([](StepRequest& r) { r.shape = {2, 4}; }).where, "replicas");
  EXPECT_EQ(error([](StepRequest& r) { r.batch_per_replica = 0; }).where, "batch per replica");
}

TEST(PlanStep, RefusesHugeSizesInsteadOfOverflowing) {
  StepRequest request = small_request(8192, 8);
  request.batch_per_replica = std::int64_t{1} << 40;
  EXPECT_NO_THROW(plan_step(request));
  request.model_options = {{"hidden", 1 << 22}, {"layers", 2}};
  bad_input_of([&] { plan_step(request); });
}

}  // namespace
}  // namespace dtbench
