#include "engine/runtime/executability.h"

#include <fmt/format.h>

#include <algorithm>

#include "topologies/base/error.h"

namespace dtbench {
namespace {

std::string obstacle(const PlanOp& op) {
  if (!op.executable) return fmt::format("{} in {}, which no back end here executes", op.kind, name_of(op.arithmetic));
  if (op.type == OpType::send || op.type == OpType::receive) return "a send or receive";
  if ((op.type == OpType::collective) != op.collective.has_value()) return "a collective without its call";
  if (op.collective && op.collective->executed_by == ExecutedBy::library) return "a collective of a library";
  const auto micro = [](const Dependency& dependency) { return dependency.micro_batch_distance != 0; };
  if (std::any_of(op.after.begin(), op.after.end(), micro)) return "a dependency on another micro-batch";
  return "";
}

void check_class(const RankClass& rank_class) {
  for (const PlanOp& op : rank_class.ops) {
    const std::string found = obstacle(op);
    if (!found.empty())
      throw_bad_input({fmt::format("plan, op '{}'", op.name), found, "operations that the engine executes",
                       "use --measure off to predict only"});
  }
  for (const Repeat& repeat : rank_class.repeats) {
    if (repeat.times != 1)
      throw_bad_input({fmt::format("plan, class '{}'", rank_class.name), "a repeat region",
                       "operations that the engine executes", "use --measure off to predict only"});
  }
}

}  // namespace

void require_executable(const StepPlan& plan, const Backend& backend, int threads_per_device) {
  const std::string fault = check_plan(plan);
  if (!fault.empty()) throw_bad_input({"plan", fault, "a sound plan", ""});
  const int devices = backend.device_count(threads_per_device);
  if (plan.ranks > devices)
    throw_bad_input(
        {"plan", fmt::format("{} ranks", plan.ranks),
         fmt::format("at most {} devices of {} threads ({})", devices, threads_per_device, backend.traits().name), ""});
  for (const RankClass& rank_class : plan.classes) check_class(rank_class);
}

}  // namespace dtbench
