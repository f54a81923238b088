#include "engine/collectives/schedule_check.h"

#include <fmt/core.h>

#include <algorithm>

namespace dtbench {

namespace {

// What one chunk on one rank holds: the set of ranks whose contributions are added up in it, or nothing of value.
struct Content {
  std::vector<bool> from;
  bool garbage = false;
};

class ScheduleProof {
 public:
  ScheduleProof(const Schedule& schedule, CollectiveKind kind) : schedule_(schedule), kind_(kind) {
    contents_.resize(cells());
    for (int rank = 0; rank < schedule.ranks; ++rank)
      for (int chunk = 0; chunk < schedule.chunks; ++chunk) {
        Content& content = at(rank, chunk);
        content.from.assign(static_cast<std::size_t>(schedule.ranks), false);
        content.from[static_cast<std::size_t>(rank)] = true;
        content.garbage = !starts_with_value(rank, chunk);
      }
  }

  std::string run() {
    for (std::size_t round = 0; round < schedule_.rounds.size(); ++round)
      if (std::string fault = play(round); !fault.empty()) return fault;
    return check_result();
  }

 private:
  std::size_t cells() const {
    return static_cast<std::size_t>(schedule_.ranks) * static_cast<std::size_t>(schedule_.chunks);
  }
  std::size_t cell(int rank, int chunk) const {
    return static_cast<std::size_t>(rank) * static_cast<std::size_t>(schedule_.chunks) +
           static_cast<std::size_t>(chunk);
  }
  Content& at(int rank, int chunk) { return contents_[cell(rank, chunk)]; }
  int owner(int chunk) const { return chunk / (schedule_.chunks / schedule_.ranks); }

  bool starts_with_value(int rank, int chunk) const {
    if (kind_ == CollectiveKind::all_gather) return rank == owner(chunk);
    if (kind_ == CollectiveKind::broadcast) return rank == 0;
    return true;
  }

  std::string play(std::size_t round) {
    const auto& transfers = schedule_.rounds[round];
    std::vector<bool> read(cells(), false), written(cells(), false);
    for (const Transfer& t : transfers) {
      if (std::string fault = check_indices(t); !fault.empty()) return describe(round, t, fault);
      read[cell(t.from, t.chunk)] = true;
    }
    for (const Transfer& t : transfers) {
      if (read[cell(t.to, t.chunk)]) return describe(round, t, "writes a chunk that the same round reads there");
      if (written[cell(t.to, t.chunk)]) return describe(round, t, "is the second to write this chunk in this round");
      written[cell(t.to, t.chunk)] = true;
      if (std::string fault = move(t); !fault.empty()) return describe(round, t, fault);
    }
    return "";
  }

  std::string check_indices(const Transfer& t) const {
    const auto rank_ok = [&](int rank) { return rank >= 0 && rank < schedule_.ranks; };
    if (!rank_ok(t.from) || !rank_ok(t.to)) return "names a rank that does not exist";
    if (t.from == t.to) return "sends to itself";
    if (t.chunk < 0 || t.chunk >= schedule_.chunks) return "names a chunk that does not exist";
    return "";
  }

  std::string move(const Transfer& t) {
    const Content& source = at(t.from, t.chunk);
    Content& target = at(t.to, t.chunk);
    if (source.garbage) return "sends a chunk that holds nothing yet";
    if (!t.reduce) {
      target = source;
      return "";
    }
    if (target.garbage) return "adds to a chunk that holds nothing yet";
    for (std::size_t rank = 0; rank < source.from.size(); ++rank) {
      if (source.from[rank] && target.from[rank]) return fmt::format("adds the contribution of rank {} again", rank);
      if (source.from[rank]) target.from[rank] = true;
    }
    return "";
  }

  std::string check_result() {
    for (int rank = 0; rank < schedule_.ranks; ++rank)
      for (int chunk = 0; chunk < schedule_.chunks; ++chunk)
        if (std::string fault = check_cell(rank, chunk); !fault.empty())
          return fmt::format("at the end chunk {} of rank {} {}", chunk, rank, fault);
    return "";
  }

  std::string check_cell(int rank, int chunk) {
    const Content& content = at(rank, chunk);
    if (kind_ == CollectiveKind::reduce_scatter && rank != owner(chunk)) return "";
    if (content.garbage) return "holds nothing";
    const bool summed = kind_ == CollectiveKind::all_reduce || kind_ == CollectiveKind::reduce_scatter;
    const int source = kind_ == CollectiveKind::broadcast ? 0 : owner(chunk);
    for (int from = 0; from < schedule_.ranks; ++from) {
      const bool wanted = summed || from == source;
      if (content.from[static_cast<std::size_t>(from)] == wanted) continue;
      return fmt::format("{} the contribution of rank {}", wanted ? "lacks" : "should not hold", from);
    }
    return "";
  }

  static std::string describe(std::size_t round, const Transfer& t, const std::string& fault) {
    return fmt::format("round {}, transfer of chunk {} from {} to {}: {}", round, t.chunk, t.from, t.to, fault);
  }

  const Schedule& schedule_;
  CollectiveKind kind_;
  std::vector<Content> contents_;
};

}  // namespace

std::string check_schedule(const Schedule& schedule, CollectiveKind kind) {
  if (schedule.ranks < 1 || schedule.chunks < 1) return "needs at least one rank and one chunk";
  if (kind == CollectiveKind::all_to_all) return "all_to_all moves data between chunks, which no schedule can say";
  if (schedule.chunks % schedule.ranks != 0 && kind != CollectiveKind::broadcast)
    return fmt::format("{} chunks cannot be owned evenly by {} ranks", schedule.chunks, schedule.ranks);
  return ScheduleProof(schedule, kind).run();
}

}  // namespace dtbench
