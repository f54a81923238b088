#include "bench/host_work.h"

#include <fmt/core.h>

#include <algorithm>
#include <optional>

#include "bench/environment.h"
#include "bench/host.h"
#include "bench/options.h"
#include "engine/plan/models/model.h"
#include "topologies/base/units.h"

namespace dtbench {

namespace {

constexpr double kUsableMemory = 0.8;  ///< of what is free now

/// Half the batch, or nothing when it cannot be halved.
std::optional<RunSpec> with_half_batch(RunSpec spec, const std::vector<int>& counts) {
  std::int64_t& batch = spec.global_batch ? *spec.global_batch
                                          : spec.batch_per_replica.emplace(spec.batch_per_replica.value_or(
                                                default_batch_per_replica(spec.model)));
  if (batch % 2 != 0) return std::nullopt;
  batch /= 2;
  const auto divides = [&](int count) { return !spec.global_batch || batch % count == 0; };
  if (!std::all_of(counts.begin(), counts.end(), divides)) return std::nullopt;
  return spec;
}

std::vector<int> host_counts(const RunSpec& asked, const RunSpec& spec, int available) {
  if (asked.topology == kHost) return device_counts(asked, available);
  std::vector<int> counts = device_counts(spec, available);
  if (spec.global_batch) std::erase_if(counts, [&](int count) { return *spec.global_batch % count != 0; });
  return counts;
}

/// All points stay loaded while they are measured in turn.
double memory_of(const std::vector<PlannedPoint>& planned) {
  double bytes = 0;
  for (const PlannedPoint& point : planned)
    bytes += static_cast<double>(largest_memory(point.plan).total) * point.plan.ranks;
  return bytes;
}

/// FLOP/s that no core reaches; matrix units multiply 16-bit numbers up to 32 times as fast as vectors do float32.
double flops_limit(Arithmetic arithmetic) {
  constexpr double kMatrixUnits = 32;
  const bool vectors = arithmetic == Arithmetic::float64 || arithmetic == Arithmetic::float32;
  return kCoreFlopsLimit * (vectors ? 1 : kMatrixUnits);
}

/// No step can be shorter.
double least_seconds(const std::vector<PlannedPoint>& planned, int threads) {
  double seconds = 0;
  for (const PlannedPoint& point : planned)
    for (const RankClass& cls : point.plan.classes)
      for (const PlanOp& op : cls.ops) seconds += op.flops / (threads * flops_limit(op.arithmetic));
  return seconds;
}

/// Warm-up and a few repetitions at half the peak: what measuring takes at best.
double best_seconds(const HostWork& work) {
  constexpr double kSteps = 10, kReachedShare = 0.5;
  return kSteps * least_seconds(work.planned, work.threads_per_replica) / kReachedShare;
}

/// Why the points cannot run here, or "".
std::string too_large(const HostWork& work, double seconds) {
  const double needed = memory_of(work.planned), free = available_memory_bytes();
  if (needed > kUsableMemory * free)
    return fmt::format("needs {} of memory, {} is free here", format_bytes(needed), format_bytes(free));
  const double best = best_seconds(work);
  if (best > seconds)
    return fmt::format("measuring takes at least {}, of the time budget there is {} for it", format_seconds(best),
                       format_seconds(seconds));
  return "";
}

/// What no back end here computes, or "".
std::string not_executable(const std::vector<PlannedPoint>& planned) {
  for (const PlannedPoint& point : planned)
    for (const RankClass& cls : point.plan.classes)
      for (const PlanOp& op : cls.ops)
        if (!op.executable) return fmt::format("{} in {}", op.kind, name_of(op.arithmetic));
  return "";
}

std::string batch_words(const HostWork& work) {
  const StepPlan& plan = work.planned.front().plan;
  return work.spec.global_batch ? fmt::format("global batch {}", plan.global_batch)
                                : fmt::format("batch per replica {}", plan.batch_per_replica);
}

}  // namespace

void shrink_until_possible(HostWork& work, const Obstacle& obstacle) {
  const std::string first = obstacle(work);
  for (std::string why = first; !why.empty(); why = obstacle(work)) {
    std::vector<int> counts;
    for (const PlannedPoint& point : work.planned) counts.push_back(point.devices);
    const auto smaller = with_half_batch(work.spec, counts);
    if (!smaller) {
      work.reason = fmt::format("{}: {}", work.asked_batch, first);
      work.planned.clear();
      return;
    }
    work.spec = *smaller;
    work.planned = plan_points(work.spec, work.topology, counts);
  }
  if (!first.empty())
    work.reduced = fmt::format("measured with {} instead of {}: {}", batch_words(work), work.asked_batch, first);
}

HostWork plan_host_work(const RunSpec& asked, const HostProbe& probe, double seconds) {
  HostWork work;
  work.spec = asked;
  if (asked.topology != kHost) {
    work.spec.topology = kHost;
    work.spec.devices.clear();
    work.spec.calibration.reset();
    work.spec.anchor.reset();
    work.spec.collective = "auto";  // hierarchical over nodes means nothing on one host
  }
  work.threads_per_replica = threads_per_replica(work.spec, probe.facts());
  work.topology = resolve_topology(work.spec, probe);
  const auto counts = host_counts(asked, work.spec, work.topology.devices());
  work.planned = plan_points(work.spec, work.topology, counts);
  work.asked_batch = batch_words(work);
  if (const std::string what = not_executable(work.planned); !what.empty()) {
    work.reason = fmt::format("no back end here computes {}", what);
    work.planned.clear();
    return work;
  }
  shrink_until_possible(work, [seconds](const HostWork& now) { return too_large(now, seconds); });
  return work;
}

}  // namespace dtbench
