#include "engine/plan/strategies/mirrored.h"

#include <fmt/core.h>

#include <limits>
#include <map>

#include "engine/collectives/algorithm.h"
#include "engine/plan/tensor_access.h"
#include "topologies/base/error.h"

namespace dtbench {

namespace {

std::string algorithm_for(const StrategyOptions& options) {
  const bool several_nodes = options.shape.nodes > 1;
  if (options.collective == "auto") return several_nodes ? "hierarchical" : "ring";
  if (!collective_algorithm(options.collective).supports(CollectiveKind::all_reduce, options.shape))
    throw_bad_input({"--collective",
                     fmt::format("'{}' for {} node(s) of {} replicas", options.collective, options.shape.nodes,
                                 options.shape.per_node),
                     "an algorithm that can do this shape", "use 'auto'"});
  return options.collective;
}

// Gradient bucket -> the last operation that writes into it, in the order in which buckets become full.
std::map<OpId, std::vector<TensorId>> buckets_by_last_writer(const RankClass& cls) {
  std::map<OpId, std::vector<TensorId>> full_after;
  const auto accesses = accesses_by_owner(cls);
  for (std::size_t t = 0; t < cls.tensors.size(); ++t) {
    if (cls.tensors[t].role != TensorRole::gradient || cls.tensors[t].view) continue;
    OpId last = -1;
    for (const TensorAccess& access : accesses[t])
      if (access.write) last = access.op;
    DTBENCH_CHECK(last >= 0);
    full_after[last].push_back(static_cast<TensorId>(t));
  }
  return full_after;
}

PlanOp all_reduce_of(const RankClass& cls, TensorId bucket, const StrategyOptions& options,
                     const std::string& algorithm) {
  const Tensor& tensor = cls.tensors[static_cast<std::size_t>(bucket)];
  PlanOp op;
  op.name = tensor.name.substr(0, tensor.name.rfind('/')) + "/all_reduce";
  op.type = OpType::collective;
  op.kind = name_of(CollectiveKind::all_reduce);
  op.pass = PassKind::backward;
  op.inputs = op.outputs = {bucket};
  op.bytes = static_cast<double>(tensor.bytes());
  op.stream = options.traits.overlaps_communication ? Stream::communication : Stream::compute;
  op.collective =
      CollectiveCall{CollectiveKind::all_reduce, 0, bucket, tensor.bytes(), algorithm, options.traits.collectives};
  return op;
}

}  // namespace

int mirrored_max_replicas() { return std::numeric_limits<int>::max(); }

void apply_mirrored(StepPlan& plan, const StrategyOptions& options) {
  if (options.replicas == 1) return;
  const std::string algorithm = algorithm_for(options);
  plan.groups.push_back({"data", {0, options.replicas, 1}, 1, 0, options.shape});
  RankClass& cls = plan.classes.front();
  cls.ranks = {{0, options.replicas, 1}};
  const auto full_after = buckets_by_last_writer(cls);
  std::vector<PlanOp> ops;
  for (std::size_t i = 0; i < cls.ops.size(); ++i) {
    ops.push_back(cls.ops[i]);
    if (const auto full = full_after.find(static_cast<OpId>(i)); full != full_after.end())
      for (const TensorId bucket : full->second) ops.push_back(all_reduce_of(cls, bucket, options, algorithm));
  }
  cls.ops = std::move(ops);
}

}  // namespace dtbench
