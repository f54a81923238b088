// Plays collectives message by message as their schedule says: the reference for the flow model.
//
// A round is a barrier: alpha, then one transfer per pair of ranks that exchange something, over the links of its path;
// the next round begins when all have arrived. Each parallel ring of the machine (a mesh has several) plays the
// schedule with an equal part of the bytes and its own order of the ranks. Chunks are whole bytes, so that a round
// lasts as long as its largest chunk: against S / n bytes up to 1 byte, n / S of the time.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "engine/collectives/schedule.h"
#include "sim/flow/collective_player.h"
#include "sim/flow/sim_clock.h"
#include "topologies/topology.h"
#include "topologies/topology_graph.h"

namespace dtbench {

class MessagePlayer : public CollectivePlayer {
 public:
  /// Declares links of `capacities` (by link of the machine's graph) and the routes that the plan's schedules use.
  MessagePlayer(const StepPlan& plan, const Topology& topology, const std::vector<double>& capacities,
                const PricedCollectives& prices, SimClock& clock);
  ~MessagePlayer() override;
  void play(const CollectiveStart& start, std::function<void()> done) override;

 private:
  /// One schedule as played by one group.
  struct Score;
  /// One collective under way.
  struct Flight;
  using ScoreKey = std::tuple<int, CollectiveKind, std::string>;  ///< group, kind, algorithm

  static ScoreKey key_of(const CollectiveCall& call);
  void add_score(const StepPlan& plan, const CollectiveCall& call);
  void declare_routes(const Score& score);
  void begin_round(std::shared_ptr<Flight> flight);
  void send_messages(std::shared_ptr<Flight> flight);

  const PricedCollectives& prices_;
  SimClock& clock_;
  TopologyGraph graph_;
  int devices_per_node_;
  std::vector<int> class_of_rank_;
  std::map<ScoreKey, std::unique_ptr<Score>> scores_;
  std::map<std::pair<int, int>, int> routes_;  ///< (from, to) -> route of the clock
};

}  // namespace dtbench
