#include "engine/plan/strategy.h"

#include "engine/plan/strategies/mirrored.h"
#include "engine/plan/strategies/single.h"
#include "topologies/base/error.h"
#include "topologies/base/suggest.h"

namespace dtbench {

namespace {

constexpr Strategy kStrategies[] = {
    {"single", "one device, no communication", single_max_replicas, apply_single},
    {"mirrored", "every device holds the model; gradients are all-reduced in buckets while backward runs",
     mirrored_max_replicas, apply_mirrored},
};

}  // namespace

std::span<const Strategy> strategies() { return kStrategies; }

const Strategy& strategy(std::string_view name) {
  std::vector<std::string> names;
  for (const Strategy& row : kStrategies) {
    if (row.name == name) return row;
    names.emplace_back(row.name);
  }
  throw_bad_input({"--strategy", "'" + std::string(name) + "'", one_of(names), did_you_mean(name, names)});
}

}  // namespace dtbench
