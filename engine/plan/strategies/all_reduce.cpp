#include "engine/plan/strategies/all_reduce.h"

#include <fmt/core.h>

#include "engine/collectives/algorithm.h"
#include "topologies/base/error.h"

namespace dtbench {

std::string all_reduce_algorithm(const StrategyOptions& options) {
  const bool several_nodes = options.shape.nodes > 1;
  if (options.collective == "auto") return several_nodes ? "hierarchical" : "ring";
  if (!collective_algorithm(options.collective).supports(CollectiveKind::all_reduce, options.shape))
    throw_bad_input({"--collective",
                     fmt::format("'{}' for {} node(s) of {} replicas", options.collective, options.shape.nodes,
                                 options.shape.per_node),
                     "an algorithm that can do this shape", "use 'auto'"});
  return options.collective;
}

PlanOp all_reduce_of(const RankClass& cls, TensorId tensor, std::string name, const StrategyOptions& options) {
  const std::int64_t bytes = cls.tensors[static_cast<std::size_t>(tensor)].bytes();
  PlanOp op;
  op.name = std::move(name);
  op.type = OpType::collective;
  op.kind = name_of(CollectiveKind::all_reduce);
  op.pass = PassKind::backward;
  op.inputs = op.outputs = {tensor};
  op.bytes = static_cast<double>(bytes);
  op.stream = options.traits.overlaps_communication ? Stream::communication : Stream::compute;
  op.collective = CollectiveCall{CollectiveKind::all_reduce, 0, tensor, bytes, all_reduce_algorithm(options),
                                 options.traits.collectives};
  return op;
}

}  // namespace dtbench
