#include "engine/cpu/core_team.h"

#include <fmt/format.h>
#include <omp.h>

#include <atomic>

#include "engine/cpu/affinity.h"
#include "topologies/base/error.h"

namespace dtbench {

namespace {

void require_pinned(bool pinned, const std::vector<int>& cpus) {
  if (pinned) return;
  throw Error(ExitCode::run_failed,
              {.where = "pinning threads",
               .found = fmt::format("the system refused one of the CPUs {} to {}", cpus.front(), cpus.back()),
               .hint = "the CPUs of this process changed after the start"});
}

}  // namespace

CoreTeam::CoreTeam(std::vector<int> cpus) : cpus_(std::move(cpus)) { DTBENCH_CHECK(!cpus_.empty()); }

void CoreTeam::lead() const {
  omp_set_dynamic(0);
  omp_set_num_threads(size());
  std::atomic<bool> pinned = true;
#pragma omp parallel num_threads(size())
  if (!pin_this_member(true)) pinned = false;
  require_pinned(pinned, cpus_);
}

void CoreTeam::accompany() const {
  omp_set_num_threads(1);
  require_pinned(pin_this_thread(cpus_), cpus_);
}

Piece CoreTeam::piece_of_this_member(std::int64_t grains, std::int64_t grain, std::int64_t count) const {
  pin_this_member(false);
  // OMP_THREAD_LIMIT may leave fewer threads than asked for.
  const std::int64_t members = omp_get_num_threads(), member = omp_get_thread_num();
  return {.first = std::min(count, grains * member / members * grain),
          .last = std::min(count, grains * (member + 1) / members * grain),
          .member = static_cast<int>(member)};
}

bool CoreTeam::pin_this_member(bool again) const {
  thread_local int pinned_to = -1;
  const int cpu = cpus_[static_cast<std::size_t>(omp_get_thread_num())];
  if (pinned_to == cpu && !again) return true;
  if (!pin_this_thread({cpu})) return false;
  pinned_to = cpu;
  return true;
}

}  // namespace dtbench
