#include "engine/collectives/schedule.h"

#include <fmt/core.h>

#include "topologies/base/error.h"

namespace dtbench {

std::string_view name_of(CollectiveKind kind) {
  switch (kind) {
    case CollectiveKind::all_reduce:
      return "all_reduce";
    case CollectiveKind::reduce_scatter:
      return "reduce_scatter";
    case CollectiveKind::all_gather:
      return "all_gather";
    case CollectiveKind::broadcast:
      return "broadcast";
    case CollectiveKind::all_to_all:
      return "all_to_all";
  }
  DTBENCH_CHECK(false);
  return "";
}

void require_schedule_size(GroupShape shape) {
  if (static_cast<std::int64_t>(shape.nodes) * shape.per_node > kLargestSchedule)
    throw_bad_input({"collective", fmt::format("{} x {} ranks message by message", shape.nodes, shape.per_node),
                     fmt::format("at most {}", kLargestSchedule), "use fidelity 'closed-form' or 'flow'"});
}

namespace {

// c * count / chunks without overflow.
std::int64_t boundary(std::int64_t count, int chunks, int chunk) {
  const std::int64_t whole = count / chunks, rest = count % chunks;
  return whole * chunk + rest * chunk / chunks;
}

}  // namespace

ChunkRange chunk_range(std::int64_t count, int chunks, int chunk) {
  DTBENCH_CHECK(count >= 0 && chunks >= 1 && chunk >= 0 && chunk < chunks);
  const std::int64_t first = boundary(count, chunks, chunk);
  return {first, boundary(count, chunks, chunk + 1) - first};
}

}  // namespace dtbench
