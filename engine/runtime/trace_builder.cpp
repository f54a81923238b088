#include "engine/runtime/trace_builder.h"

#include <algorithm>
#include <chrono>

namespace dtbench {
namespace {

using TimePoint = std::chrono::steady_clock::time_point;

double seconds_between(TimePoint from, TimePoint to) { return std::chrono::duration<double>(to - from).count(); }

TimePoint earliest_start(std::span<const OpTimes> times) {
  return std::min_element(times.begin(), times.end(),
                          [](const OpTimes& a, const OpTimes& b) { return a.start < b.start; })
      ->start;
}

// The last op of the compute stream; the last of all when there is none.
std::size_t last_compute_op(const RankClass& rank_class) {
  for (std::size_t i = rank_class.ops.size(); i-- > 0;)
    if (rank_class.ops[i].stream == Stream::compute) return i;
  return rank_class.ops.size() - 1;
}

}  // namespace

TraceBuilder::TraceBuilder(const StepPlan& plan, std::vector<int> classes_of_ranks, int steps, std::string runner)
    : plan_(plan),
      classes_(std::move(classes_of_ranks)),
      steps_(steps),
      runner_(std::move(runner)),
      times_(std::make_shared<RunTimes>()) {
  for (int rank = 0; rank < plan_.ranks; ++rank)
    times_->add_rank(runner_.empty() ? 0 : static_cast<std::size_t>(steps_) * class_of(rank).ops.size());
}

const RankClass& TraceBuilder::class_of(int rank) const {
  return plan_.classes[static_cast<std::size_t>(classes_[static_cast<std::size_t>(rank)])];
}

std::span<const OpTimes> TraceBuilder::step_times(int rank, int step) const {
  const std::size_t ops = class_of(rank).ops.size();
  return times_->of_rank(rank).subspan(static_cast<std::size_t>(step) * ops, ops);
}

double TraceBuilder::period(int rank, int step) const {
  const std::size_t last = last_compute_op(class_of(rank));
  const auto times = step_times(rank, step);
  const TimePoint begin = step > 0 ? step_times(rank, step - 1)[last].end : earliest_start(times);
  return seconds_between(begin, times[last].end);
}

RankTrace TraceBuilder::rank_trace(int rank, int step) const {
  const auto times = step_times(rank, step);
  const TimePoint start = earliest_start(times);
  RankTrace trace{rank, classes_[static_cast<std::size_t>(rank)], {}};
  for (std::size_t i = 0; i < times.size(); ++i)
    trace.spans.push_back(
        {static_cast<OpId>(i), seconds_between(start, times[i].start), seconds_between(start, times[i].end)});
  return trace;
}

std::vector<StepTrace> TraceBuilder::traces() const {
  std::vector<StepTrace> traces;
  if (runner_.empty()) return traces;
  for (int step = 0; step < steps_; ++step) {
    StepTrace trace{runner_, 0, {}};
    for (int rank = 0; rank < plan_.ranks; ++rank) {
      trace.step_seconds = std::max(trace.step_seconds, period(rank, step));
      trace.ranks.push_back(rank_trace(rank, step));
    }
    traces.push_back(std::move(trace));
  }
  return traces;
}

}  // namespace dtbench
