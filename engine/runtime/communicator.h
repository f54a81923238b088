// The ranks of one group talking to each other.
#pragma once

#include <cstdint>
#include <memory>

#include "engine/collectives/schedule.h"
#include "engine/runtime/device.h"

namespace dtbench {

/// A collective bound to every member's buffer; `run(member)` is called by each member's communication thread, once per
/// step, and returns when that member's result is in its buffer.
class Collective {
 public:
  virtual ~Collective() = default;
  /// Waits at most the communicator's limit; the error names the members that did not come.
  virtual void run(int member) = 0;
};

class Communicator {
 public:
  virtual ~Communicator() = default;
  /// `buffers[m]` is member m's. The schedule is executed as planned: round by round.
  virtual std::unique_ptr<Collective> bind(const Schedule& schedule, std::vector<Buffer> buffers) = 0;
  /// Makes every waiting and later `run` throw: a member failed. `culprit` goes into the message.
  virtual void abort(int culprit, const std::string& reason) = 0;
};

}  // namespace dtbench
