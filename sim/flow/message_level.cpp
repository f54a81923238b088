#include "sim/flow/message_level.h"

#include <algorithm>
#include <cstdint>

#include "engine/collectives/algorithm.h"
#include "sim/flow/flow_plan.h"
#include "sim/model/phase_links.h"
#include "topologies/base/error.h"

namespace dtbench {

struct MessagePlayer::Score {
  /// One instance of the group: for each parallel ring, the ranks that play the schedule's ranks.
  struct Cast {
    int rank_class = 0;
    std::vector<std::vector<int>> ranks_by_ring;
  };
  Schedule schedule;
  std::vector<Cast> casts;
};

struct MessagePlayer::Flight {
  const Score* score;
  const std::vector<PhaseCost>* phases;
  std::int64_t bytes;
  std::vector<int> classes;
  std::function<void()> done;
  std::size_t round = 0, phase = 0;
  int rounds_left_in_phase = 0;
  int messages_left = 0;
};

namespace {

/// Rank node * per_node + i of the schedule is played by the i-th device that the ring visits on that node.
std::vector<int> ranks_of_ring(const std::vector<int>& ranks, const std::vector<int>& order) {
  std::vector<int> result;
  for (std::size_t node = 0; node < ranks.size(); node += order.size())
    for (const int local : order) result.push_back(ranks[node + static_cast<std::size_t>(local)]);
  return result;
}

}  // namespace

MessagePlayer::MessagePlayer(const StepPlan& plan, const Topology& topology, const std::vector<double>& capacities,
                             const PricedCollectives& prices, SimClock& clock)
    : prices_(prices),
      clock_(clock),
      graph_(topology),
      devices_per_node_(topology.devices_per_node),
      class_of_rank_(class_by_rank(plan)) {
  for (const double capacity : capacities) clock_.add_link(capacity);
  for (const auto& [op, phases] : prices_) add_score(plan, *op->collective);
}

MessagePlayer::~MessagePlayer() = default;

MessagePlayer::ScoreKey MessagePlayer::key_of(const CollectiveCall& call) {
  return {call.group, call.kind, call.algorithm};
}

void MessagePlayer::add_score(const StepPlan& plan, const CollectiveCall& call) {
  std::unique_ptr<Score>& score = scores_[key_of(call)];
  if (score) return;
  const Group& group = plan.groups.at(static_cast<std::size_t>(call.group));
  score = std::make_unique<Score>(Score{collective_algorithm(call.algorithm).schedule(call.kind, group.shape), {}});
  for (int instance = 0; instance < group.instances; ++instance) {
    const std::vector<int> ranks = group_ranks(group, instance);
    Score::Cast& cast = score->casts.emplace_back();
    cast.rank_class = class_of_rank_.at(static_cast<std::size_t>(ranks.front()));
    for (const std::vector<int>& order : ring_orders(graph_, ranks, group.shape, devices_per_node_))
      cast.ranks_by_ring.push_back(ranks_of_ring(ranks, order));
  }
  declare_routes(*score);
}

void MessagePlayer::declare_routes(const Score& score) {
  for (const Score::Cast& cast : score.casts)
    for (const std::vector<int>& ranks : cast.ranks_by_ring)
      for (const std::vector<Transfer>& round : score.schedule.rounds)
        for (const Transfer& transfer : round) {
          const std::pair<int, int> ends{ranks[static_cast<std::size_t>(transfer.from)],
                                         ranks[static_cast<std::size_t>(transfer.to)]};
          if (routes_.contains(ends)) continue;
          routes_[ends] = clock_.add_route(graph_.path(ends.first, ends.second));
        }
}

void MessagePlayer::play(const CollectiveStart& start, std::function<void()> done) {
  const CollectiveCall& call = *start.op->collective;
  const std::vector<PhaseCost>& phases = prices_.at(start.op);
  auto flight = std::make_shared<Flight>(
      Flight{scores_.at(key_of(call)).get(), &phases, call.bytes, *start.classes, std::move(done)});
  if (phases.empty()) return clock_.after(0, std::move(flight->done));
  flight->rounds_left_in_phase = phases.front().phase.rounds;
  clock_.after(phases.front().launch_seconds, [this, flight] { begin_round(flight); });
}

void MessagePlayer::begin_round(std::shared_ptr<Flight> flight) {
  if (flight->round == flight->score->schedule.rounds.size()) return clock_.after(0, std::move(flight->done));
  if (flight->rounds_left_in_phase == 0)
    flight->rounds_left_in_phase = flight->phases->at(++flight->phase).phase.rounds;
  --flight->rounds_left_in_phase;
  const PhaseCost& cost = flight->phases->at(flight->phase);
  const double alpha = (cost.delay_seconds - cost.launch_seconds) / cost.phase.rounds;
  clock_.after(alpha, [this, flight] { send_messages(flight); });
}

void MessagePlayer::send_messages(std::shared_ptr<Flight> flight) {
  const Score& score = *flight->score;
  const double size_factor = (*flight->phases)[flight->phase].size_factor;
  std::map<int, double> bytes_by_route;  // what a rank sends to another in one round is one message
  for (const Score::Cast& cast : score.casts) {
    if (!std::binary_search(flight->classes.begin(), flight->classes.end(), cast.rank_class)) continue;
    const int rings = static_cast<int>(cast.ranks_by_ring.size());
    for (int ring = 0; ring < rings; ++ring) {
      const std::vector<int>& ranks = cast.ranks_by_ring[static_cast<std::size_t>(ring)];
      const std::int64_t part = chunk_range(flight->bytes, rings, ring).count;
      for (const Transfer& transfer : score.schedule.rounds[flight->round]) {
        const int route =
            routes_.at({ranks[static_cast<std::size_t>(transfer.from)], ranks[static_cast<std::size_t>(transfer.to)]});
        bytes_by_route[route] +=
            static_cast<double>(chunk_range(part, score.schedule.chunks, transfer.chunk).count) / size_factor;
      }
    }
  }
  flight->messages_left = static_cast<int>(bytes_by_route.size());
  for (const auto& [route, bytes] : bytes_by_route)
    clock_.start_flow(route, bytes, [this, flight] {
      if (--flight->messages_left > 0) return;
      ++flight->round;
      begin_round(flight);
    });
}

}  // namespace dtbench
