#include "engine/plan/strategies/sync_batch_norm.h"

#include <fmt/core.h>

#include <algorithm>

#include "engine/plan/strategies/all_reduce.h"
#include "topologies/base/error.h"

namespace dtbench {

namespace {

bool forms_sums(const PlanOp& op) {
  return op.kind == "batch_norm_statistics" || op.kind == "batch_norm_grad_statistics";
}

bool has_batch_norm(const StepPlan& plan) {
  return std::any_of(plan.classes.begin(), plan.classes.end(),
                     [](const RankClass& cls) { return std::any_of(cls.ops.begin(), cls.ops.end(), forms_sums); });
}

void synchronize(RankClass& cls, const StrategyOptions& options) {
  std::vector<PlanOp> ops;
  for (PlanOp& op : cls.ops) {
    ops.push_back(std::move(op));
    const PlanOp& last = ops.back();
    if (!forms_sums(last)) continue;
    const TensorId sums = last.outputs.front();
    const std::string& tensor = cls.tensors[static_cast<std::size_t>(sums)].name;
    PlanOp all_reduce = all_reduce_of(cls, sums, tensor + "/all_reduce", options);
    all_reduce.pass = last.pass;
    ops.push_back(std::move(all_reduce));
  }
  cls.ops = std::move(ops);
}

}  // namespace

void synchronize_batch_norm(StepPlan& plan, const StrategyOptions& options) {
  if (!has_batch_norm(plan))
    throw_bad_input({"--sync-batch-norm", fmt::format("model '{}' without batch normalisation", plan.model),
                     "a model that has it, such as 'resnet50'", ""});
  if (options.replicas == 1) return;
  for (RankClass& cls : plan.classes) synchronize(cls, options);
}

}  // namespace dtbench
