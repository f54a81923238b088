// Plays collectives as the flows of a FlowPlan: for each phase its delay, then all its flows at once.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "sim/flow/collective_player.h"
#include "sim/flow/flow_plan.h"
#include "sim/flow/sim_clock.h"

namespace dtbench {

class FlowPlayer : public CollectivePlayer {
 public:
  /// Declares the plan's links and routes on the clock. All three must outlive the player.
  FlowPlayer(const FlowPlan& flows, const PricedCollectives& prices, SimClock& clock);
  void play(const CollectiveStart& start, std::function<void()> done) override;

 private:
  struct Flight;
  void begin_phase(std::shared_ptr<Flight> flight);
  void start_flows(std::shared_ptr<Flight> flight);

  const FlowPlan& flows_;
  const PricedCollectives& prices_;
  SimClock& clock_;
};

}  // namespace dtbench
