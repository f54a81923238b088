// Collectives between the threads of one process, in shared memory: executes any schedule (collective_program.h).
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "engine/runtime/communicator.h"
#include "engine/runtime/progress_counter.h"

namespace dtbench {

/// Waiting for a peer: a glance catches peers that are as far as we are; then the compute thread of the same core may
/// go on between looks; waking a sleeper on another core costs more than most waits last (measured, see README).
inline constexpr WaitPolicy kPeerWait{std::chrono::microseconds(5), std::chrono::microseconds(100)};

class SharedMemoryCommunicator : public Communicator {
 public:
  SharedMemoryCommunicator(int members, double wait_limit_seconds, WaitPolicy policy = kPeerWait);
  ~SharedMemoryCommunicator() override;
  std::unique_ptr<Collective> bind(const Schedule& schedule, std::vector<Buffer> buffers) override;
  void abort(int culprit, const std::string& reason) override;

  struct Members;  ///< one progress counter per member; outlives the communicator while a collective uses it

 private:
  std::shared_ptr<Members> members_;
};

}  // namespace dtbench
