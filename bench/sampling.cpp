#include "bench/sampling.h"

#include <algorithm>
#include <map>

#include "bench/trace_median.h"
#include "reports/statistics.h"
#include "sim/model/cost_model.h"
#include "topologies/base/error.h"

namespace dtbench {

namespace {

bool overlap(const OpSpan& a, const OpSpan& b) {
  return a.start_seconds < b.end_seconds && b.start_seconds < a.end_seconds;
}

std::vector<OpSpan> collective_spans(const RankClass& cls, const RankTrace& trace) {
  std::vector<OpSpan> spans;
  for (const OpSpan& span : trace.spans)
    if (cls.ops[static_cast<std::size_t>(span.op)].type == OpType::collective) spans.push_back(span);
  return spans;
}

using Durations = std::map<OpId, std::vector<double>>;

void collect(Durations& durations, const RankClass& cls, const RankTrace& trace) {
  const auto collectives = collective_spans(cls, trace);
  for (const OpSpan& span : trace.spans) {
    const OpType type = cls.ops[static_cast<std::size_t>(span.op)].type;
    if (type != OpType::compute && type != OpType::host_transfer) continue;
    const auto beside = [&](const OpSpan& other) { return overlap(span, other); };
    if (std::any_of(collectives.begin(), collectives.end(), beside)) continue;
    durations[span.op].push_back(span.end_seconds - span.start_seconds);
  }
}

}  // namespace

void append_samples(CalibrationSamples& samples, const StepPlan& plan, const std::vector<StepTrace>& traces) {
  DTBENCH_CHECK(!traces.empty());
  std::vector<Durations> durations(plan.classes.size());
  for (const StepTrace& trace : traces)
    for (const RankTrace& rank : trace.ranks) {
      const auto cls = static_cast<std::size_t>(rank.rank_class);
      collect(durations[cls], plan.classes[cls], rank);
    }
  std::size_t most_ops = 0;
  for (std::size_t cls = 0; cls < plan.classes.size(); ++cls) {
    most_ops = std::max(most_ops, plan.classes[cls].ops.size());
    for (const auto& [id, seconds] : durations[cls]) {
      const PlanOp& op = plan.classes[cls].ops[static_cast<std::size_t>(id)];
      const double typical = median(seconds);
      if (typical > 0)  // below the clock's resolution
        samples.ops.push_back(
            {op.kind, op.arithmetic, op.flops, op.bytes, typical, plan.ranks, surroundings(plan.classes[cls], op)});
    }
  }
  const auto busy = [&](Stream stream) {
    return median_over(traces, [&](const StepTrace& trace) { return busy_seconds(plan, trace, stream); });
  };
  const double step = median_over(traces, [](const StepTrace& trace) { return trace.step_seconds; });
  samples.steps.push_back({plan.ranks, step, busy(Stream::compute), busy(Stream::communication), most_ops, plan});
}

}  // namespace dtbench
