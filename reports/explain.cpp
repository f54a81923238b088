#include "reports/explain.h"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <vector>

#include "reports/quantity_text.h"
#include "reports/wording.h"
#include "topologies/base/error.h"
#include "topologies/base/units.h"

namespace dtbench {

namespace {

struct Term {
  std::string name;
  Stream stream = Stream::compute;
  int calls = 0;
  double seconds = 0, flops = 0, bytes = 0;
};

double busy(const RankTrace& rank) {
  double seconds = 0;
  for (const OpSpan& span : rank.spans) seconds += span.end_seconds - span.start_seconds;
  return seconds;
}

const RankTrace& busiest_rank(const StepTrace& trace) {
  DTBENCH_CHECK(!trace.ranks.empty());
  return *std::max_element(trace.ranks.begin(), trace.ranks.end(),
                           [](const RankTrace& a, const RankTrace& b) { return busy(a) < busy(b); });
}

std::string term_name(const PlanOp& op) {
  return op.collective ? fmt::format("{} ({})", op.kind, op.collective->algorithm) : op.kind;
}

// Grouped by stream and kind; the largest first within a stream.
std::vector<Term> terms_of(const RankClass& cls, const RankTrace& rank) {
  std::map<std::pair<Stream, std::string>, Term> terms;
  for (const OpSpan& span : rank.spans) {
    const PlanOp& op = cls.ops.at(static_cast<std::size_t>(span.op));
    Term& term = terms[{op.stream, term_name(op)}];
    term.name = term_name(op);
    term.stream = op.stream;
    ++term.calls;
    term.seconds += span.end_seconds - span.start_seconds;
    term.flops += op.flops;
    term.bytes += op.collective ? static_cast<double>(op.collective->bytes) : op.bytes;
  }
  std::vector<Term> sorted;
  for (auto& [key, term] : terms) sorted.push_back(std::move(term));
  std::stable_sort(sorted.begin(), sorted.end(), [](const Term& a, const Term& b) {
    return std::pair(a.stream, -a.seconds) < std::pair(b.stream, -b.seconds);
  });
  return sorted;
}

std::string rate_of(double amount, double seconds) {
  return amount > 0 && seconds > 0 ? format_count(amount / seconds) : "";
}

}  // namespace

std::string explain_text(const StepPlan& plan, const StepTrace& trace, const TextStyle& style) {
  const RankTrace& rank = busiest_rank(trace);
  const RankClass& cls = plan.classes.at(static_cast<std::size_t>(rank.rank_class));
  DTBENCH_CHECK(trace.step_seconds > 0);
  const auto share = [&](double seconds) { return share_text(seconds / trace.step_seconds); };
  TextTable table(
      {{"stream", Align::left}, {"operation", Align::left}, {"calls"}, {"time"}, {"of step"}, {"FLOP/s"}, {"byte/s"}});
  for (const Term& term : terms_of(cls, rank))
    table.add_row({{std::string(name_of(term.stream))},
                   {term.name},
                   {fmt::format("{}", term.calls)},
                   {format_seconds(term.seconds)},
                   {share(term.seconds)},
                   {rate_of(term.flops, term.seconds)},
                   {rate_of(term.bytes, term.seconds)}});
  const double computing = busy_seconds(plan, trace, Stream::compute);
  const double exposed = exposed_communication_seconds(plan, trace);
  const double rest = std::max(0., trace.step_seconds - computing - exposed);
  const std::string sum =
      fmt::format("step {} = computing {} ({}) + exposed communication {} ({}) + waiting and overhead {} ({})",
                  format_seconds(trace.step_seconds), format_seconds(computing), share(computing),
                  format_seconds(exposed), share(exposed), format_seconds(rest), share(rest));
  return labelled({fmt::format("{}, {}:", devices_count(plan.ranks), trace.runner), Role::heading}, 0, sum, style) +
         table.text(style);
}

}  // namespace dtbench
