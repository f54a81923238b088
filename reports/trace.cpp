#include "reports/trace.h"

#include <fmt/core.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "topologies/base/json_reader.h"

namespace dtbench {

namespace {

constexpr double kMicroseconds = 1e6;

Json name_event(const char* what, int process, int thread, const std::string& name) {
  return {{"ph", "M"}, {"name", what}, {"pid", process}, {"tid", thread}, {"args", {{"name", name}}}};
}

Json arguments_of(const PlanOp& op) {
  Json arguments = {{"kind", op.kind}};
  if (op.flops > 0) arguments["flops"] = op.flops;
  if (op.bytes > 0) arguments["bytes"] = op.bytes;
  if (op.collective) {
    arguments["algorithm"] = op.collective->algorithm;
    arguments["message_bytes"] = op.collective->bytes;
  }
  return arguments;
}

Json span_event(const PlanOp& op, const OpSpan& span, int process) {
  DTBENCH_CHECK(std::isfinite(span.start_seconds) && span.end_seconds >= span.start_seconds);
  return {{"ph", "X"},
          {"name", op.name},
          {"cat", name_of(op.type)},
          {"pid", process},
          {"tid", static_cast<int>(op.stream)},
          {"ts", span.start_seconds * kMicroseconds},
          {"dur", (span.end_seconds - span.start_seconds) * kMicroseconds},
          {"args", arguments_of(op)}};
}

void append_rank(Json& events, const LabelledTrace& labelled, const RankTrace& rank, int process) {
  const std::string name = fmt::format("{} ({}), rank {}", labelled.label, labelled.trace.runner, rank.rank);
  events.push_back(name_event("process_name", process, 0, name));
  for (int stream = 0; stream < kStreams; ++stream)
    events.push_back(name_event("thread_name", process, stream, std::string(name_of(static_cast<Stream>(stream)))));
  const RankClass& cls = labelled.plan->classes.at(static_cast<std::size_t>(rank.rank_class));
  for (const OpSpan& span : rank.spans)
    events.push_back(span_event(cls.ops.at(static_cast<std::size_t>(span.op)), span, process));
}

}  // namespace

std::string chrome_trace_json_text(const std::vector<LabelledTrace>& traces) {
  Json events = Json::array();
  int process = 0;
  for (const LabelledTrace& labelled : traces) {
    DTBENCH_CHECK(labelled.plan != nullptr);
    for (const RankTrace& rank : labelled.trace.ranks) append_rank(events, labelled, rank, process++);
  }
  return Json{{"displayTimeUnit", "ms"}, {"traceEvents", std::move(events)}}.dump() + "\n";
}

}  // namespace dtbench
