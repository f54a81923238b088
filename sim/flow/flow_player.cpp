#include "sim/flow/flow_player.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "topologies/base/error.h"

namespace dtbench {

/// One collective under way.
struct FlowPlayer::Flight {
  const std::vector<PhaseCost>* phases;
  int group;
  std::vector<int> classes;
  std::function<void()> done;
  std::size_t phase = 0;
  int flows_left = 0;
};

FlowPlayer::FlowPlayer(const FlowPlan& flows, const PricedCollectives& prices, SimClock& clock)
    : flows_(flows), prices_(prices), clock_(clock) {
  for (const double capacity : flows.system.capacities) clock.add_link(capacity);
  for (const FlowSystem::Flow& flow : flows.system.flows) clock.add_route(flow.links);
}

void FlowPlayer::play(const CollectiveStart& start, std::function<void()> done) {
  begin_phase(std::make_shared<Flight>(
      Flight{&prices_.at(start.op), start.op->collective->group, *start.classes, std::move(done)}));
}

void FlowPlayer::begin_phase(std::shared_ptr<Flight> flight) {
  if (flight->phase == flight->phases->size()) return clock_.after(0, std::move(flight->done));
  const double delay = (*flight->phases)[flight->phase].delay_seconds;
  clock_.after(delay, [this, flight] { start_flows(flight); });
}

void FlowPlayer::start_flows(std::shared_ptr<Flight> flight) {
  const PhaseCost& cost = (*flight->phases)[flight->phase];
  const auto flow_ended = [this, flight] {
    if (--flight->flows_left > 0) return;
    ++flight->phase;
    begin_phase(flight);
  };
  for (const FlowSet& set : flows_.sets) {
    const bool takes_part = std::binary_search(flight->classes.begin(), flight->classes.end(), set.rank_class);
    if (set.group != flight->group || set.scope != cost.phase.scope || !takes_part) continue;
    const double bytes = cost.bytes_per_edge / set.rings / cost.size_factor;
    flight->flows_left += static_cast<int>(set.flows.size());
    for (const int flow : set.flows) clock_.start_flow(flow, bytes, flow_ended);
  }
  DTBENCH_CHECK(flight->flows_left > 0);
}

}  // namespace dtbench
