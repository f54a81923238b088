#include "engine/collectives/hierarchical.h"

#include <numeric>

#include "engine/collectives/ring.h"

namespace dtbench {

namespace {

std::vector<int> chunk_span(int first, int count) {
  std::vector<int> chunks(static_cast<std::size_t>(count));
  std::iota(chunks.begin(), chunks.end(), first);
  return chunks;
}

std::vector<Ring> node_rings(GroupShape shape) {
  std::vector<Ring> rings;
  for (int node = 0; node < shape.nodes; ++node)
    rings.push_back({chunk_span(node * shape.per_node, shape.per_node),
                     [nodes = shape.nodes](int part) { return chunk_span(part * nodes, nodes); }});
  return rings;
}

std::vector<Ring> rail_rings(GroupShape shape) {
  std::vector<Ring> rings;
  for (int local = 0; local < shape.per_node; ++local) {
    std::vector<int> ranks;
    for (int node = 0; node < shape.nodes; ++node) ranks.push_back(node * shape.per_node + local);
    rings.push_back({ranks, [first = local * shape.nodes](int chunk) { return std::vector<int>{first + chunk}; }});
  }
  return rings;
}

using AddRound = void (*)(const Ring&, int, std::vector<Transfer>&);

// The rings work side by side.
void add_rounds(const std::vector<Ring>& rings, AddRound add, Schedule& schedule) {
  const int size = static_cast<int>(rings.front().ranks.size());
  for (int round = 0; round + 1 < size; ++round) {
    auto& transfers = schedule.rounds.emplace_back();
    for (const Ring& ring : rings) add(ring, round, transfers);
  }
}

}  // namespace

bool hierarchical_supports(CollectiveKind kind, GroupShape shape) {
  return kind == CollectiveKind::all_reduce && shape.nodes > 1;
}

Schedule hierarchical_schedule(CollectiveKind, GroupShape shape) {
  require_schedule_size(shape);
  Schedule schedule{shape.ranks(), shape.ranks(), {}};
  const std::vector<Ring> nodes = node_rings(shape), rails = rail_rings(shape);
  add_rounds(nodes, add_reduce_scatter_round, schedule);
  add_rounds(rails, add_reduce_scatter_round, schedule);
  add_rounds(rails, add_all_gather_round, schedule);
  add_rounds(nodes, add_all_gather_round, schedule);
  return schedule;
}

std::vector<Phase> hierarchical_phases(CollectiveKind, GroupShape shape, double bytes) {
  const int k = shape.per_node, m = shape.nodes;
  const Phase within{Scope::within_node, k, k - 1, bytes * (k - 1) / k};
  const Phase between{Scope::between_nodes, m, 2 * (m - 1), 2 * bytes / k * (m - 1) / m};
  if (k == 1) return {between};
  return {within, between, within};
}

}  // namespace dtbench
