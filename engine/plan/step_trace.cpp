#include "engine/plan/step_trace.h"

#include <algorithm>

namespace dtbench {

namespace {

struct Interval {
  double start = 0, end = 0;
};

// Sorted, disjoint.
using Intervals = std::vector<Interval>;

Intervals merged(Intervals intervals) {
  std::sort(intervals.begin(), intervals.end(), [](const Interval& a, const Interval& b) { return a.start < b.start; });
  Intervals result;
  for (const Interval& next : intervals) {
    if (next.end <= next.start) continue;
    if (result.empty() || next.start > result.back().end)
      result.push_back(next);
    else
      result.back().end = std::max(result.back().end, next.end);
  }
  return result;
}

double length(const Intervals& intervals) {
  double sum = 0;
  for (const Interval& interval : intervals) sum += interval.end - interval.start;
  return sum;
}

double common_length(const Intervals& a, const Intervals& b) {
  double sum = 0;
  for (std::size_t i = 0, j = 0; i < a.size() && j < b.size();) {
    sum += std::max(0.0, std::min(a[i].end, b[j].end) - std::max(a[i].start, b[j].start));
    if (a[i].end < b[j].end)
      ++i;
    else
      ++j;
  }
  return sum;
}

template <typename Counts>
Intervals covered(const StepPlan& plan, const RankTrace& rank, Counts counts) {
  const RankClass& cls = plan.classes.at(static_cast<std::size_t>(rank.rank_class));
  Intervals intervals;
  for (const OpSpan& span : rank.spans)
    if (counts(cls.ops.at(static_cast<std::size_t>(span.op))))
      intervals.push_back({span.start_seconds, span.end_seconds});
  return merged(std::move(intervals));
}

bool is_communication(const PlanOp& op) {
  return op.type == OpType::collective || op.type == OpType::send || op.type == OpType::receive;
}

bool is_compute(const PlanOp& op) { return op.type == OpType::compute; }

}  // namespace

double exposed_communication_seconds(const StepPlan& plan, const StepTrace& trace) {
  double most = 0;
  for (const RankTrace& rank : trace.ranks) {
    const Intervals communication = covered(plan, rank, is_communication);
    most = std::max(most, length(communication) - common_length(communication, covered(plan, rank, is_compute)));
  }
  return most;
}

double busy_seconds(const StepPlan& plan, const StepTrace& trace, Stream stream) {
  double most = 0;
  for (const RankTrace& rank : trace.ranks)
    most = std::max(most, length(covered(plan, rank, [&](const PlanOp& op) { return op.stream == stream; })));
  return most;
}

}  // namespace dtbench
