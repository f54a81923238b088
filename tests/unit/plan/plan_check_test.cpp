// check_plan on plans with one fault each.
#include <gtest/gtest.h>

#include <functional>

#include "engine/plan/plan_step.h"

namespace dtbench {
namespace {

StepPlan good_plan() {
  StepRequest request;
  request.model_options = {{"hidden", 32}, {"layers", 2}, {"inputs", 20}};
  request.batch_per_replica = 8;
  request.replicas = 4;
  request.shape = {2, 2};
  request.bucket_bytes = 2000;
  request.traits.prefetches_input = true;
  return plan_step(request);
}

RankClass& first_class(StepPlan& plan) { return plan.classes.front(); }

PlanOp& op_named(StepPlan& plan, const std::string& name) {
  for (PlanOp& op : first_class(plan).ops)
    if (op.name == name) return op;
  ADD_FAILURE() << "no operation " << name;
  return first_class(plan).ops.front();
}

Allocation& place_of(StepPlan& plan, const std::string& tensor) {
  for (Allocation& place : first_class(plan).memory.allocations)
    if (first_class(plan).tensors[static_cast<std::size_t>(place.tensor)].name == tensor) return place;
  ADD_FAILURE() << "no memory for " << tensor;
  return first_class(plan).memory.allocations.front();
}

void expect_fault(const std::string& part, const std::function<void(StepPlan&)>& change) {
  StepPlan plan = good_plan();
  ASSERT_EQ(check_plan(plan), "");
  change(plan);
  const std::string fault = check_plan(plan);
  EXPECT_NE(fault.find(part), std::string::npos) << "found: '" << fault << "', expected: '" << part << "'";
}

TEST(CheckPlan, CountsRanks) {
  expect_fault("3 of 4 ranks are in a class", [](StepPlan& p) { p.classes[0].ranks[0].count = 3; });
  expect_fault("ranks that do not exist", [](StepPlan& p) { p.classes[0].ranks[0].stride = 2; });
  expect_fault("rank 1 is in two classes", [](StepPlan& p) { p.classes[0].ranks.push_back({1, 1, 1}); });
  expect_fault("no class", [](StepPlan& p) { p.classes.clear(); });
  expect_fault("at least 1", [](StepPlan& p) { p.ranks = 0; });
}

TEST(CheckPlan, ChecksGroups) {
  expect_fault("group 0 has a shape of another number of ranks", [](StepPlan& p) { p.groups[0].shape = {2, 4}; });
  expect_fault("group 0 names ranks", [](StepPlan& p) { p.groups[0].members.first = 1; });
  expect_fault("group 0 names ranks", [](StepPlan& p) {
    p.groups[0].instances = 2;
    p.groups[0].instance_stride = 4;
  });
}

TEST(CheckPlan, ChecksTensorsAndViews) {
  expect_fault("reaches beyond its base", [](StepPlan& p) {
    for (Tensor& tensor : first_class(p).tensors)
      if (tensor.name == "layer1/weight") tensor.view->first_element += 1'000'000;
  });
  expect_fault("is a view of a view", [](StepPlan& p) {
    for (Tensor& tensor : first_class(p).tensors)
      if (tensor.view) tensor.view->base = 2;  // layer1/weight
  });
  expect_fault("has an empty shape", [](StepPlan& p) { first_class(p).tensors[0].shape = {0}; });
  expect_fault("is a view of another type", [](StepPlan& p) {
    for (Tensor& tensor : first_class(p).tensors)
      if (tensor.name == "layer1/weight") tensor.dtype = DType::int32;
  });
}

TEST(CheckPlan, ChecksOperations) {
  expect_fault("has the name of another operation",
               [](StepPlan& p) { first_class(p).ops[1].name = first_class(p).ops[2].name; });
  expect_fault("uses no tensor", [](StepPlan& p) { first_class(p).ops[1].inputs[0] = 9999; });
  expect_fault("unknown kind 'dens'", [](StepPlan& p) { first_class(p).ops[1].kind = "dens"; });
  expect_fault("negative cost", [](StepPlan& p) { first_class(p).ops[1].flops = -1; });
  expect_fault("the loss is no tensor", [](StepPlan& p) { first_class(p).loss = 9999; });
  expect_fault("repeat of operations", [](StepPlan& p) { first_class(p).repeats = {{2, 1, 3}}; });
}

TEST(CheckPlan, ChecksCollectives) {
  expect_fault("should say which collective",
               [](StepPlan& p) { op_named(p, "bucket0/all_reduce").collective.reset(); });
  expect_fault("a group that does not exist",
               [](StepPlan& p) { op_named(p, "bucket0/all_reduce").collective->group = 1; });
  expect_fault("unknown algorithm 'rings'",
               [](StepPlan& p) { op_named(p, "bucket0/all_reduce").collective->algorithm = "rings"; });
  expect_fault("cannot do this on this group", [](StepPlan& p) { p.groups[0].shape = {1, 4}; });
  expect_fault("other bytes than its buffer",
               [](StepPlan& p) { op_named(p, "bucket0/all_reduce").collective->bytes -= 4; });
  expect_fault("should read and write its buffer",
               [](StepPlan& p) { op_named(p, "bucket0/all_reduce").outputs.clear(); });
}

TEST(CheckPlan, ChecksDependencies) {
  expect_fault("does not stand before it", [](StepPlan& p) {
    first_class(p).ops[1].after = {{static_cast<OpId>(first_class(p).ops.size()) - 1, 0, 0}};
  });
  expect_fault("waits for no operation", [](StepPlan& p) { first_class(p).ops[1].after = {{-1, 0, 0}}; });
  expect_fault("waits for the future", [](StepPlan& p) { first_class(p).ops[1].after = {{0, -1, 0}}; });
}

TEST(CheckPlan, FindsWhatNothingOrders) {
  expect_fault("'bucket0/update' may run before 'bucket0/all_reduce' has finished",
               [](StepPlan& p) { op_named(p, "bucket0/update").after.clear(); });
  expect_fault("'layer1/dense/forward' may run before 'input' has finished",
               [](StepPlan& p) { op_named(p, "layer1/dense/forward").after.clear(); });
  expect_fault("'input' may run before 'layer1/dense/forward' of 2 step(s) ago has finished",
               [](StepPlan& p) { op_named(p, "input").after.clear(); });
  expect_fault("of 1 step(s) ago", [](StepPlan& p) {
    place_of(p, "features").buffers = 1;
    place_of(p, "labels").buffers = 1;
  });
  expect_fault("nobody has written", [](StepPlan& p) { op_named(p, "input").outputs.pop_back(); });
}

TEST(CheckPlan, FindsTensorsInOnePlace) {
  expect_fault("live at once in the same memory", [](StepPlan& p) {
    place_of(p, "layer1/dense/output").offset = place_of(p, "layer1/bias/output").offset;
  });
  expect_fault("live at once in the same memory",
               [](StepPlan& p) { place_of(p, "bucket0/gradients").offset = place_of(p, "bucket1/gradients").offset; });
}

TEST(CheckPlan, ChecksMemory) {
  expect_fault("does not fit into its place", [](StepPlan& p) { place_of(p, "bucket0/gradients").bytes = 4; });
  expect_fault("does not fit into its place",
               [](StepPlan& p) { place_of(p, "bucket0/gradients").offset = first_class(p).memory.arena_bytes; });
  expect_fault("has no memory", [](StepPlan& p) { first_class(p).memory.allocations.pop_back(); });
  expect_fault("lies twice", [](StepPlan& p) {
    first_class(p).memory.allocations.push_back(first_class(p).memory.allocations.back());
  });
  expect_fault("do not add up", [](StepPlan& p) { first_class(p).memory.use.weights += 64; });
}

}  // namespace
}  // namespace dtbench
