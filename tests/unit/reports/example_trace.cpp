#include "tests/unit/reports/example_trace.h"

namespace dtbench {

namespace {

PlanOp op(std::string name, std::string kind, double flops, double bytes) {
  PlanOp result;
  result.name = std::move(name);
  result.kind = std::move(kind);
  result.flops = flops;
  result.bytes = bytes;
  return result;
}

PlanOp all_reduce(std::int64_t bytes) {
  PlanOp result = op("bucket/all_reduce", "all_reduce", 0, 0);
  result.type = OpType::collective;
  result.stream = Stream::communication;
  result.collective = CollectiveCall{.bytes = bytes, .algorithm = "ring"};
  return result;
}

}  // namespace

StepPlan example_plan() {
  StepPlan plan;
  plan.ranks = 2;
  plan.classes.resize(1);
  plan.classes[0].ranks = {{0, 2, 1}};
  plan.classes[0].ops = {op("a", "dense", 8e9, 4e6), op("b", "dense", 6e9, 4e6), op("c", "relu", 1e6, 8e6),
                         all_reduce(30'000'000)};
  return plan;
}

StepTrace example_trace() {
  return {"closed-form", 0.010, {{0, 0, {{0, 0, 0.004}, {1, 0.004, 0.007}, {2, 0.007, 0.008}, {3, 0.006, 0.009}}}}};
}

}  // namespace dtbench
