// The table of collective algorithms. A new one is one file and one row.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "engine/collectives/schedule.h"

namespace dtbench {

struct CollectiveAlgorithm {
  std::string_view name;  ///< as in `--collective`: "ring", "hierarchical"
  /// Whether it can do this collective on this shape (hierarchical needs more than one node).
  bool (*supports)(CollectiveKind kind, GroupShape shape);
  /// Message by message; 1 rank = no rounds. Bad-input error beyond kLargestSchedule ranks.
  Schedule (*schedule)(CollectiveKind kind, GroupShape shape);
  /// Closed form; S = bytes of the whole buffer. Agrees with `schedule` in rounds and bytes (a test holds them
  /// together).
  std::vector<Phase> (*phases)(CollectiveKind kind, GroupShape shape, double bytes);
};

std::span<const CollectiveAlgorithm> collective_algorithms();
/// Bad-input error with the nearest name when there is none.
const CollectiveAlgorithm& collective_algorithm(std::string_view name);

}  // namespace dtbench
