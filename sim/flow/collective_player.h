// Makes a collective take time on a SimClock: as flows (flow_player.h) or message by message (message_level.h).
#pragma once

#include <functional>
#include <map>
#include <vector>

#include "sim/model/cost_model.h"
#include "sim/model/step_walk.h"

namespace dtbench {

/// Phases of each collective op of a plan, by its address: what closed form, flows and messages share.
using PricedCollectives = std::map<const PlanOp*, std::vector<PhaseCost>>;

class CollectivePlayer {
 public:
  virtual ~CollectivePlayer() = default;
  /// As WalkClock::start_collective: begins now, `done` once at the end, never before returning.
  virtual void play(const CollectiveStart& start, std::function<void()> done) = 0;
};

}  // namespace dtbench
