#include <fmt/core.h>

#include <cctype>
#include <cmath>

#include "engine/plan/plan_step.h"
#include "topologies/base/units.h"

namespace dtbench {

namespace {

std::string ranks_text(const RankSet& set) {
  if (set.count == 1) return fmt::format("{}", set.first);
  const int last = set.first + (set.count - 1) * set.stride;
  return fmt::format("{}..{}{}", set.first, last, set.stride == 1 ? "" : fmt::format(" by {}", set.stride));
}

std::string group_line(const StepPlan& plan, std::size_t index) {
  const Group& group = plan.groups[index];
  const std::string instances =
      group.instances == 1 ? "" : fmt::format(", {} instances {} ranks apart", group.instances, group.instance_stride);
  return fmt::format("group {}  axis {}, ranks {} on {} x {}{}\n", index, group.axis, ranks_text(group.members),
                     group.shape.nodes, group.shape.per_node, instances);
}

std::string dependency_text(const RankClass& cls, const PlanOp& op) {
  std::string text;
  for (const Dependency& dependency : op.after) {
    text += text.empty() ? "  after " : ", ";
    text += cls.ops[static_cast<std::size_t>(dependency.op)].name;
    if (dependency.step_distance > 0)
      text += fmt::format(" of {} step{} ago", dependency.step_distance, dependency.step_distance == 1 ? "" : "s");
  }
  return text;
}

std::string work_text(const PlanOp& op) {
  std::string flops = op.flops == 0 ? "" : format_count(op.flops);
  if (!flops.empty()) flops += std::isdigit(static_cast<unsigned char>(flops.back())) ? " FLOP" : "FLOP";
  return fmt::format("{:>12} {:>9}", flops, format_bytes(op.bytes));
}

std::string op_line(const RankClass& cls, std::size_t index) {
  const PlanOp& op = cls.ops[index];
  std::string line = fmt::format("{:>4}  {:<13} {:<8} {:<34} {:<26} {}", index, name_of(op.stream), name_of(op.pass),
                                 op.name, op.kind, work_text(op));
  if (op.collective) line += fmt::format("  {} over group {}", op.collective->algorithm, op.collective->group);
  line += dependency_text(cls, op);
  if (!op.executable) line += "  (not executable here)";
  return line + "\n";
}

std::string memory_text(const MemoryPlan& memory) {
  std::string text;
  const auto add = [&](const char* name, std::int64_t bytes) { text += fmt::format("  {:<12} {:>16}\n", name, bytes); };
  add("weights", memory.use.weights);
  add("gradients", memory.use.gradients);
  add("optimizer", memory.use.optimizer);
  add("activations", memory.use.activations);
  add("workspace", memory.use.workspace);
  add("total", memory.use.total);
  return text;
}

std::string allocation_text(const RankClass& cls) {
  std::string text;
  for (const Allocation& place : cls.memory.allocations) {
    const Tensor& tensor = cls.tensors[static_cast<std::size_t>(place.tensor)];
    text += fmt::format("  {:>14} {:>14}{}  {} {}{}\n", place.offset, place.bytes,
                        place.buffers == 1 ? "    " : fmt::format(" x {}", place.buffers), tensor.name,
                        name_of(tensor.dtype), text_of(tensor.shape));
  }
  return text;
}

std::string class_text(const RankClass& cls) {
  std::string text = fmt::format("\nclass '{}', ranks", cls.name);
  for (const RankSet& set : cls.ranks) text += " " + ranks_text(set);
  text += fmt::format("\n      {:<13} {:<8} {:<34} {:<26} {:>12} {:>9}\n", "stream", "pass", "operation", "kind",
                      "work", "bytes");
  for (std::size_t i = 0; i < cls.ops.size(); ++i) text += op_line(cls, i);
  for (const Repeat& repeat : cls.repeats)
    text += fmt::format("  operations {}..{} run {} times\n", repeat.first, repeat.last, repeat.times);
  return text + "memory of one rank, bytes\n" + memory_text(cls.memory) + "arena: offset, bytes, tensor\n" +
         allocation_text(cls);
}

}  // namespace

std::string plan_listing(const StepPlan& plan) {
  std::string text = fmt::format(
      "{} by {}: {} rank(s) on {} node(s), {} replica(s) x batch {} = global batch {}\n"
      "{} parameters, {} forward FLOP per sample\n",
      plan.model, plan.strategy, plan.ranks, plan.nodes, plan.replicas, plan.batch_per_replica, plan.global_batch,
      plan.parameters, std::llround(plan.forward_flops_per_sample));
  for (std::size_t i = 0; i < plan.groups.size(); ++i) text += group_line(plan, i);
  for (const RankClass& cls : plan.classes) text += class_text(cls);
  return text;
}

}  // namespace dtbench
