// The ranks of one group talking to each other.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "engine/collectives/schedule.h"
#include "engine/runtime/device.h"
#include "topologies/base/error.h"

namespace dtbench {

/// "1, 3": ranks or members in a message.
std::string number_list(const std::vector<int>& numbers);

/// Thrown by Collective::run when members did not come within the limit; `members` are indices in the group.
class MembersMissing : public Error {
 public:
  MembersMissing(std::vector<int> members, double waited_seconds);
  const std::vector<int>& members() const { return members_; }
  double waited_seconds() const { return waited_seconds_; }

 private:
  std::vector<int> members_;
  double waited_seconds_;
};

/// A collective bound to every member's buffer; `run(member)` is called by each member's communication thread, once per
/// step, and returns when that member's result is in its buffer and nobody reads the buffer any more.
class Collective {
 public:
  virtual ~Collective() = default;
  /// Waits at most the communicator's limit; the error (MembersMissing) names the members that did not come.
  virtual void run(int member) = 0;
};

/// Every member runs the communicator's collectives in the same order, one at a time.
class Communicator {
 public:
  virtual ~Communicator() = default;
  /// `buffers[m]` is member m's. The schedule is executed as planned: round by round.
  virtual std::unique_ptr<Collective> bind(const Schedule& schedule, std::vector<Buffer> buffers) = 0;
  /// Makes every waiting and later `run` throw: a member failed. `culprit` goes into the message; -1: somebody outside
  /// the group. Only the first call counts.
  virtual void abort(int culprit, const std::string& reason) = 0;
};

}  // namespace dtbench
