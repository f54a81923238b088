#include "engine/collectives/ring.h"

#include <numeric>

namespace dtbench {

namespace {

int modulo(int value, int size) { return (value % size + size) % size; }

// In round `round` the ring's rank i sends its chunk i - lag - round to rank i + 1.
void add_round(const Ring& ring, int lag, int round, bool reduce, std::vector<Transfer>& transfers) {
  const int size = static_cast<int>(ring.ranks.size());
  for (int i = 0; i < size; ++i)
    for (const int chunk : ring.chunks_of(modulo(i - lag - round, size)))
      transfers.push_back({ring.ranks[static_cast<std::size_t>(i)],
                           ring.ranks[static_cast<std::size_t>((i + 1) % size)], chunk, reduce});
}

bool reduces(CollectiveKind kind) {
  return kind == CollectiveKind::all_reduce || kind == CollectiveKind::reduce_scatter;
}
bool gathers(CollectiveKind kind) { return kind == CollectiveKind::all_reduce || kind == CollectiveKind::all_gather; }

}  // namespace

void add_reduce_scatter_round(const Ring& ring, int round, std::vector<Transfer>& transfers) {
  add_round(ring, 1, round, true, transfers);
}

void add_all_gather_round(const Ring& ring, int round, std::vector<Transfer>& transfers) {
  add_round(ring, 0, round, false, transfers);
}

bool ring_supports(CollectiveKind kind, GroupShape) { return reduces(kind) || gathers(kind); }

Schedule ring_schedule(CollectiveKind kind, GroupShape shape) {
  require_schedule_size(shape);
  const int size = shape.ranks();
  Ring ring{std::vector<int>(static_cast<std::size_t>(size)), [](int chunk) { return std::vector<int>{chunk}; }};
  std::iota(ring.ranks.begin(), ring.ranks.end(), 0);
  Schedule schedule{size, size, {}};
  if (reduces(kind))
    for (int round = 0; round + 1 < size; ++round)
      add_reduce_scatter_round(ring, round, schedule.rounds.emplace_back());
  if (gathers(kind))
    for (int round = 0; round + 1 < size; ++round) add_all_gather_round(ring, round, schedule.rounds.emplace_back());
  return schedule;
}

std::vector<Phase> ring_phases(CollectiveKind kind, GroupShape shape, double bytes) {
  const int size = shape.ranks();
  if (size == 1) return {};
  const int passes = (reduces(kind) ? 1 : 0) + (gathers(kind) ? 1 : 0);
  return {{Scope::flat, size, passes * (size - 1), passes * bytes * (size - 1) / size}};
}

}  // namespace dtbench
