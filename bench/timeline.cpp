#include "bench/timeline.h"

#include <fmt/core.h>

#include "reports/explain.h"
#include "reports/trace.h"

namespace dtbench {

namespace {

std::string explained_point(const PlannedPoint& point, const StepTrace& trace, const TextStyle& style) {
  return fmt::format("\n{} device(s):\n{}", point.devices, explain_text(point.plan, trace, style));
}

}  // namespace

std::string timeline(const std::vector<PlannedPoint>& planned, const PredictedPoints& predicted, const HostLoop& host) {
  std::vector<LabelledTrace> traces;
  for (std::size_t i = 0; i < planned.size(); ++i)
    traces.push_back({&planned[i].plan, predicted.traces[i], fmt::format("predicted, {} devices", planned[i].devices)});
  for (std::size_t i = 0; i < host.planned.size(); ++i) {
    const PlannedPoint& point = host.planned[i];
    traces.push_back({&point.plan, host.predicted[i], fmt::format("this host, predicted, {} replicas", point.devices)});
    if (host.measured[i])
      traces.push_back(
          {&point.plan, *host.measured[i], fmt::format("this host, measured, {} replicas", point.devices)});
  }
  return chrome_trace_json_text(traces);
}

std::string explained(const std::vector<PlannedPoint>& planned, const PredictedPoints& predicted,
                      const TextStyle& style) {
  std::string text = explained_point(planned.front(), predicted.traces.front(), style);
  if (planned.size() > 1) text += explained_point(planned.back(), predicted.traces.back(), style);
  return text;
}

}  // namespace dtbench
