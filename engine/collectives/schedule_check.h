// Symbolic proof of a schedule: every chunk ends up holding each rank's contribution exactly once.
#pragma once

#include <string>

#include "engine/collectives/schedule.h"

namespace dtbench {

/// "" when the schedule does what `kind` promises and no round writes a chunk that the same round reads on that rank
/// (so that in-place execution with one barrier per round is safe); otherwise what is wrong, with round and transfer.
std::string check_schedule(const Schedule& schedule, CollectiveKind kind);

}  // namespace dtbench
