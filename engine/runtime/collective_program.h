// A schedule compiled for one member and its buffers: what to wait for and what to move in each round.
//
// Pull model: in a round the receiver reads the sender's chunk where it lies and adds or copies it into its own.
// Instead of a barrier over all members, a member waits only for those it shares a transfer with; that is enough,
// because `check_schedule` guarantees that no round writes a chunk that the same round reads on that rank:
//   before round k   its senders of round k have finished round k-1 (their chunk is ready), and
//                    its readers of round k-1 have finished it (the chunk may be overwritten);
//   before leaving   its readers of the last round have finished it.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/collectives/schedule.h"
#include "engine/runtime/device.h"

namespace dtbench {

struct ChunkMove {
  std::byte* to = nullptr;
  const std::byte* from = nullptr;
  std::int64_t elements = 0;
  DType dtype = DType::float32;
  bool reduce = false;
};

struct ProgramRound {
  std::vector<int> wait_for;  ///< members that must have finished the round before
  std::vector<ChunkMove> moves;
};

/// One more round than the schedule has: the last only waits for the readers. Empty when the schedule has no rounds.
using CollectiveProgram = std::vector<ProgramRound>;

/// Bad-input error when the buffers differ in size or type, or the type cannot be reduced here (float32 and float64
/// can).
CollectiveProgram compile_for_member(const Schedule& schedule, const std::vector<Buffer>& buffers, int member);

void execute(const ChunkMove& move);

}  // namespace dtbench
