// Every algorithm x collective x shape: proved, played on numbers, equal to its closed form, and no single fault in a
// schedule goes unseen.
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <random>

#include "engine/collectives/algorithm.h"
#include "engine/collectives/schedule_check.h"

namespace dtbench {
namespace {

constexpr CollectiveKind kKinds[] = {CollectiveKind::all_reduce, CollectiveKind::reduce_scatter,
                                     CollectiveKind::all_gather};

struct Case {
  const CollectiveAlgorithm* algorithm;
  CollectiveKind kind;
  GroupShape shape;
  std::string name() const {
    return std::string(algorithm->name) + " " + std::string(name_of(kind)) + " on " + std::to_string(shape.nodes) +
           " x " + std::to_string(shape.per_node);
  }
};

std::vector<Case> all_cases(int largest) {
  std::vector<GroupShape> shapes;
  for (int ranks = 1; ranks <= largest; ++ranks) shapes.push_back({1, ranks});
  for (int nodes = 2; nodes <= 9; ++nodes)
    for (int per_node = 1; nodes * per_node <= largest; ++per_node) shapes.push_back({nodes, per_node});
  std::vector<Case> cases;
  for (const CollectiveAlgorithm& algorithm : collective_algorithms())
    for (const CollectiveKind kind : kKinds)
      for (const GroupShape shape : shapes)
        if (algorithm.supports(kind, shape)) cases.push_back({&algorithm, kind, shape});
  return cases;
}

TEST(EveryCollective, IsProved) {
  for (const Case& c : all_cases(33))
    ASSERT_EQ(check_schedule(c.algorithm->schedule(c.kind, c.shape), c.kind), "") << c.name();
}

// Plays the schedule in place on `elements` numbers a rank (integers, so that every order of summation gives the same)
// and says what is wrong with the result.
std::string play_on_numbers(const Schedule& schedule, CollectiveKind kind, std::int64_t elements) {
  const int ranks = schedule.ranks;
  std::vector<std::vector<double>> data(static_cast<std::size_t>(ranks));
  for (int rank = 0; rank < ranks; ++rank)
    for (std::int64_t i = 0; i < elements; ++i)
      data[static_cast<std::size_t>(rank)].push_back(static_cast<double>((rank + 1) * (rank + 1) * 1000 + i));
  const auto at = [&](int rank, std::int64_t i) -> double& {
    return data[static_cast<std::size_t>(rank)][static_cast<std::size_t>(i)];
  };
  const std::vector<std::vector<double>> start = data;
  for (const auto& round : schedule.rounds)
    for (const Transfer& t : round) {
      const ChunkRange range = chunk_range(elements, schedule.chunks, t.chunk);
      for (std::int64_t i = range.first; i < range.first + range.count; ++i)
        at(t.to, i) = (t.reduce ? at(t.to, i) : 0) + at(t.from, i);
    }
  for (int rank = 0; rank < ranks; ++rank)
    for (int chunk = 0; chunk < schedule.chunks; ++chunk) {
      const int owner = chunk / (schedule.chunks / ranks);
      if (kind == CollectiveKind::reduce_scatter && rank != owner) continue;
      const ChunkRange range = chunk_range(elements, schedule.chunks, chunk);
      for (std::int64_t i = range.first; i < range.first + range.count; ++i) {
        double expected = start[static_cast<std::size_t>(owner)][static_cast<std::size_t>(i)];
        if (kind != CollectiveKind::all_gather) {
          expected = 0;
          for (const auto& own : start) expected += own[static_cast<std::size_t>(i)];
        }
        if (at(rank, i) != expected) return "element " + std::to_string(i) + " of rank " + std::to_string(rank);
      }
    }
  return "";
}

TEST(EveryCollective, GivesTheResultOnNumbersInPlace) {
  for (const Case& c : all_cases(12))
    for (const std::int64_t elements : {0, 1, 37, 1000})
      ASSERT_EQ(play_on_numbers(c.algorithm->schedule(c.kind, c.shape), c.kind, elements), "")
          << c.name() << " of " << elements;
}

// Bytes that each ordered pair of ranks exchanges in rounds first .. first + rounds - 1.
std::map<std::pair<int, int>, std::int64_t> edge_bytes(const Schedule& schedule, int first, int rounds,
                                                       std::int64_t bytes) {
  std::map<std::pair<int, int>, std::int64_t> edges;
  for (int round = first; round < first + rounds; ++round)
    for (const Transfer& t : schedule.rounds[static_cast<std::size_t>(round)])
      edges[{t.from, t.to}] += chunk_range(bytes, schedule.chunks, t.chunk).count;
  return edges;
}

bool in_scope(Scope scope, GroupShape shape, std::pair<int, int> edge) {
  const bool same_node = edge.first / shape.per_node == edge.second / shape.per_node;
  const bool same_rail = edge.first % shape.per_node == edge.second % shape.per_node;
  return scope == Scope::flat || (scope == Scope::within_node ? same_node : same_rail);
}

TEST(EveryCollective, AgreesWithItsClosedForm) {
  for (const Case& c : all_cases(33))
    for (const std::int64_t bytes : {std::int64_t{0}, std::int64_t{1}, std::int64_t{1001}, std::int64_t{3} << 40}) {
      const Schedule schedule = c.algorithm->schedule(c.kind, c.shape);
      int round = 0;
      for (const Phase& phase : c.algorithm->phases(c.kind, c.shape, static_cast<double>(bytes))) {
        ASSERT_LE(round + phase.rounds, static_cast<int>(schedule.rounds.size())) << c.name();
        const auto edges = edge_bytes(schedule, round, phase.rounds, bytes);
        ASSERT_EQ(static_cast<int>(edges.size()), schedule.ranks) << c.name() << ": one ring edge leaves each rank";
        // A chunk is rounded by less than one byte, and an edge carries at most rounds * chunks / ring of them.
        const double rounding = static_cast<double>(phase.rounds) * schedule.chunks / phase.ring_size;
        for (const auto& [edge, carried] : edges) {
          ASSERT_NEAR(static_cast<double>(carried), phase.bytes_per_edge, rounding) << c.name();
          ASSERT_TRUE(in_scope(phase.scope, c.shape, edge)) << c.name();
        }
        round += phase.rounds;
      }
      ASSERT_EQ(round, static_cast<int>(schedule.rounds.size())) << c.name();
    }
}

using Change = void (*)(std::vector<Transfer>& round, std::size_t transfer, int ranks);

// Calls `see` with schedules of which a random transfer was changed.
void for_faulty_schedules(Change change, void (*see)(const Schedule& faulty, const Case& c, const std::string& name)) {
  constexpr int kSeed = 20;
  std::mt19937 random(kSeed);
  for (const Case& c : all_cases(12)) {
    const Schedule schedule = c.algorithm->schedule(c.kind, c.shape);
    for (int repetition = 0; repetition < 20 && !schedule.rounds.empty(); ++repetition) {
      Schedule faulty = schedule;
      auto& round = faulty.rounds[random() % faulty.rounds.size()];
      change(round, random() % round.size(), schedule.ranks);
      if (!(faulty == schedule))
        see(faulty, c, c.name() + ", seed " + std::to_string(kSeed) + ", repetition " + std::to_string(repetition));
    }
  }
}

void expect_refused(const Schedule& faulty, const Case& c, const std::string& name) {
  EXPECT_NE(check_schedule(faulty, c.kind), "") << name;
}

// Some changes give another right schedule (three ranks: straight to the owner of a chunk).
void expect_refused_or_right(const Schedule& faulty, const Case& c, const std::string& name) {
  if (check_schedule(faulty, c.kind).empty()) {
    EXPECT_EQ(play_on_numbers(faulty, c.kind, 100), "") << name;
  }
}

TEST(ScheduleWithOneFault, IsSeenWhenATransferIsMissing) {
  for_faulty_schedules(
      [](std::vector<Transfer>& round, std::size_t i, int) { round.erase(round.begin() + static_cast<long>(i)); },
      expect_refused);
}

TEST(ScheduleWithOneFault, IsSeenWhenATransferIsDoubled) {
  for_faulty_schedules([](std::vector<Transfer>& round, std::size_t i, int) { round.push_back(round[i]); },
                       expect_refused);
}

TEST(ScheduleWithOneFault, IsSeenWhenReducingAndCopyingAreMixedUp) {
  for_faulty_schedules([](std::vector<Transfer>& round, std::size_t i, int) { round[i].reduce = !round[i].reduce; },
                       expect_refused);
}

TEST(ScheduleWithOneFault, IsSeenWhenAnotherChunkIsSent) {
  for_faulty_schedules(
      [](std::vector<Transfer>& round, std::size_t i, int ranks) { round[i].chunk = (round[i].chunk + 1) % ranks; },
      expect_refused);
}

TEST(ScheduleWithOneFault, IsSeenWhenATransferGoesElsewhere) {
  for_faulty_schedules(
      [](std::vector<Transfer>& round, std::size_t i, int ranks) { round[i].to = (round[i].to + 1) % ranks; },
      expect_refused_or_right);
}

TEST(ScheduleWithOneFault, IsSeenWhenItComesFromElsewhere) {
  for_faulty_schedules(
      [](std::vector<Transfer>& round, std::size_t i, int ranks) { round[i].from = (round[i].from + 1) % ranks; },
      expect_refused_or_right);
}

}  // namespace
}  // namespace dtbench
