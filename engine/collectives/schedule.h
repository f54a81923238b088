// A collective algorithm is data: rounds of transfers that can be proved, executed and simulated.
//
// Words: a buffer of S bytes is cut into `chunks` nearly equal chunks. In a round every transfer happens at once; a
// round ends when all its transfers have. `reduce` adds the sender's chunk to the receiver's, otherwise it replaces it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace dtbench {

enum class CollectiveKind { all_reduce, reduce_scatter, all_gather, broadcast, all_to_all };
std::string_view name_of(CollectiveKind kind);

/// How the ranks of a group lie on nodes: rank = node * per_node + local. A group inside one node has nodes = 1.
struct GroupShape {
  int nodes = 1;
  int per_node = 1;
  int ranks() const { return nodes * per_node; }
  bool operator==(const GroupShape&) const = default;
};

struct Transfer {
  int from = 0, to = 0;  ///< ranks within the group
  int chunk = 0;
  bool reduce = false;
  bool operator==(const Transfer&) const = default;
};

struct Schedule {
  int ranks = 1;
  int chunks = 1;
  std::vector<std::vector<Transfer>> rounds;
  bool operator==(const Schedule&) const = default;
};

/// Ranks up to which schedules are written out message by message: their size grows with ranks squared.
inline constexpr int kLargestSchedule = 2048;
/// Bad-input error above kLargestSchedule; closed form and flow model have no such limit.
void require_schedule_size(GroupShape shape);

/// First element and length of a chunk: chunk c of `count` elements is [c * count / chunks, (c + 1) * count / chunks).
struct ChunkRange {
  std::int64_t first = 0, count = 0;
};
ChunkRange chunk_range(std::int64_t count, int chunks, int chunk);

/// Which ranks a phase connects in rings.
enum class Scope {
  flat,           ///< one ring over all ranks of the group, node by node
  within_node,    ///< in each node one ring over its ranks
  between_nodes,  ///< for each local index one ring over the nodes (a rail)
};

/// One phase of the closed form: every ring edge of `scope` carries `bytes_per_edge` bytes in `rounds` rounds.
/// seconds = rounds * alpha + bytes_per_edge / (effective bandwidth of the slowest edge).
struct Phase {
  Scope scope = Scope::flat;
  int ring_size = 1;
  int rounds = 0;
  double bytes_per_edge = 0;
  bool operator==(const Phase&) const = default;
};

}  // namespace dtbench
