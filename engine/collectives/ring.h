// Ring collectives: every rank talks to its successor only, so each edge carries the least bytes that any algorithm can
// (Patarasuk & Yuan, "Bandwidth optimal all-reduce algorithms for clusters of workstations", 2009).
//
// N ranks, N chunks. Reduce-scatter: in round t rank r sends chunk r - 1 - t to r + 1, which adds it; after N - 1
// rounds rank r holds the sum of chunk r. All-gather: in round t rank r sends chunk r - t. All-reduce is one after the
// other.
#pragma once

#include <functional>
#include <vector>

#include "engine/collectives/schedule.h"

namespace dtbench {

bool ring_supports(CollectiveKind kind, GroupShape shape);
Schedule ring_schedule(CollectiveKind kind, GroupShape shape);
std::vector<Phase> ring_phases(CollectiveKind kind, GroupShape shape, double bytes);

/// One ring of a larger schedule: its ranks in order, and the chunks that stand for the ring's chunk 0..size - 1 (each
/// may be several chunks of the whole schedule). One call of `chunks_of(i)` names chunk i's.
struct Ring {
  std::vector<int> ranks;
  std::function<std::vector<int>(int)> chunks_of;
};

/// Round `round` (0 .. size - 2) of the reduce-scatter or all-gather of one ring, appended to `transfers`.
void add_reduce_scatter_round(const Ring& ring, int round, std::vector<Transfer>& transfers);
void add_all_gather_round(const Ring& ring, int round, std::vector<Transfer>& transfers);

}  // namespace dtbench
