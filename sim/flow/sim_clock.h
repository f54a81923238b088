// Virtual time, and flows that share links max-min: the narrow face of SimGrid, and the only file that knows it.
//
// No actors: everything happens in callbacks of timers and finished flows. Links and routes are declared before `run`.
// A process can have one SimClock in its life, because the library has one engine; see isolated_run.h.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "topologies/topology_graph.h"

namespace dtbench {

class SimClock {
 public:
  SimClock();
  ~SimClock();
  SimClock(const SimClock&) = delete;
  SimClock& operator=(const SimClock&) = delete;

  /// Bytes per second, > 0. Links and routes are numbered from 0.
  int add_link(double bandwidth);
  /// A flow on this route at rate r takes `times` * r of each link's bandwidth. At least one use, `times` >= 1.
  int add_route(const std::vector<LinkUse>& uses);

  double now() const;  ///< seconds
  /// Calls `then` `seconds` >= 0 from now; equal times in the order in which they were asked for.
  void after(double seconds, std::function<void()> then);
  /// Sends `bytes` over the route, starting now; `done` when the last has arrived, never before returning.
  void start_flow(int route, double bytes, std::function<void()> done);
  /// Until nothing is left to happen. Once.
  void run();

 private:
  struct Engine;
  std::unique_ptr<Engine> engine_;
};

}  // namespace dtbench
