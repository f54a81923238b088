#include "reports/coverage.h"

#include "topologies/base/error.h"

namespace dtbench {

namespace {

bool outside(const std::optional<RateCurve>& curve, double work) { return curve && work > 0 && !covers(*curve, work); }

bool is_extrapolated(const PlanOp& op, const Calibration& calibration) {
  const OpCalibration& entry = calibration.op(op.kind, op.arithmetic);
  return outside(entry.flop_rate, op.flops) || outside(entry.byte_rate, op.bytes);
}

}  // namespace

double extrapolated_share(const StepPlan& plan, const StepTrace& trace, const Calibration& calibration) {
  double total = 0, extrapolated = 0;
  for (const RankTrace& rank : trace.ranks) {
    const RankClass& cls = plan.classes.at(static_cast<std::size_t>(rank.rank_class));
    for (const OpSpan& span : rank.spans) {
      const PlanOp& op = cls.ops.at(static_cast<std::size_t>(span.op));
      if (op.type != OpType::compute) continue;
      const double seconds = span.end_seconds - span.start_seconds;
      DTBENCH_CHECK(seconds >= 0);
      total += seconds;
      if (is_extrapolated(op, calibration)) extrapolated += seconds;
    }
  }
  return total > 0 ? extrapolated / total : 0;
}

}  // namespace dtbench
