#include "tests/unit/bench/scripted_runner.h"

namespace dtbench {

namespace {

PlanOp op_of(OpType type, const std::string& kind, Stream stream) {
  PlanOp op;
  op.name = kind;
  op.type = type;
  op.kind = kind;
  op.stream = stream;
  return op;
}

}  // namespace

StepPlan one_rank_plan() {
  RankClass cls;
  cls.name = "replica";
  cls.ranks = {{0, 1, 1}};
  cls.ops = {op_of(OpType::host_transfer, "input", Stream::host), op_of(OpType::compute, "dense", Stream::compute),
             op_of(OpType::collective, "all_reduce", Stream::communication)};
  cls.ops[1].flops = 2e6;
  cls.ops[1].bytes = 3e4;
  StepPlan plan;
  plan.classes = {cls};
  return plan;
}

StepTrace one_rank_trace(double input, double compute, double communication) {
  StepTrace trace;
  trace.runner = "script";
  trace.step_seconds = input + compute + communication;
  trace.ranks = {{0, 0, {{0, 0, input}, {1, input, input + compute}, {2, input + compute, trace.step_seconds}}}};
  return trace;
}

ScriptedRunner::ScriptedRunner(std::string name, std::vector<std::string>& log, std::function<double(int)> step_seconds)
    : name_(std::move(name)), log_(log), step_seconds_(std::move(step_seconds)) {}

std::vector<StepTrace> ScriptedRunner::run(const StepPlan&, int steps) {
  log_.push_back(name_);
  std::vector<StepTrace> traces;
  for (int i = 0; i < steps; ++i) {
    const double seconds = step_seconds_(steps_run_++);
    traces.push_back(one_rank_trace(0.25 * seconds, 0.5 * seconds, 0.25 * seconds));
  }
  return traces;
}

}  // namespace dtbench
