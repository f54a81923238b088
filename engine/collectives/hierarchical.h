// Hierarchical all-reduce over m nodes of k ranks: the slow network carries only S/k bytes per rail.
//
//   1. in each node a ring reduce-scatter; local rank l then holds part l of k, summed over its node
//   2. for each l a ring all-reduce between the nodes (the rail) on part l
//   3. in each node a ring all-gather
//
// k * m chunks: part l is the chunks l*m .. l*m + m - 1, which the rail cuts among its m nodes. (As in NCCL's and
// BlueConnect's decomposition: Cho et al., "BlueConnect", 2019.)
#pragma once

#include <vector>

#include "engine/collectives/schedule.h"

namespace dtbench {

/// all_reduce over at least two nodes.
bool hierarchical_supports(CollectiveKind kind, GroupShape shape);
Schedule hierarchical_schedule(CollectiveKind kind, GroupShape shape);
std::vector<Phase> hierarchical_phases(CollectiveKind kind, GroupShape shape, double bytes);

}  // namespace dtbench
