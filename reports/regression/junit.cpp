#include "reports/regression/junit.h"

#include <fmt/core.h>

#include <algorithm>
#include <string_view>

#include "reports/regression/report_text.h"

namespace dtbench {

namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";  // U+FFFD

// Length of the UTF-8 character at the start, or 0 where there is none that XML allows.
std::size_t character_length(std::string_view text) {
  const auto byte = [text](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned first = byte(0);
  if (first < 0x80) return first >= 0x20 || first == '\t' || first == '\n' || first == '\r' ? 1 : 0;
  const std::size_t length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
  if (first < 0xC2 || first > 0xF4 || length > text.size()) return 0;
  unsigned code = first & (0xFF >> (length + 1));
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xC0) != 0x80) return 0;
    code = code << 6 | (byte(i) & 0x3F);
  }
  constexpr unsigned kSmallest[] = {0, 0, 0x80, 0x800, 0x10000};
  const bool allowed = code >= kSmallest[length] && code <= 0x10FFFF && !(code >= 0xD800 && code <= 0xDFFF) &&
                       code != 0xFFFE && code != 0xFFFF;
  return allowed ? length : 0;
}

std::string_view entity_of(char c) {
  switch (c) {
    case '<':
      return "&lt;";
    case '>':
      return "&gt;";
    case '&':
      return "&amp;";
    case '"':
      return "&quot;";
    case '\'':
      return "&apos;";
    case '\n':
      return "&#10;";
    case '\r':
      return "&#13;";
    case '\t':
      return "&#9;";
    default:
      return "";
  }
}

std::string outcome_of(const Judgement& judgement) {
  const std::string text = xml_escaped(judgement.text), code = xml_escaped(judgement.code);
  if (judgement.verdict == Verdict::regressed) return fmt::format("<failure type=\"{}\" message=\"{}\"/>", code, text);
  if (judgement.verdict == Verdict::inconclusive) return fmt::format("<error type=\"{}\" message=\"{}\"/>", code, text);
  return fmt::format("<system-out>{}</system-out>", text);
}

std::string case_of(const std::string& name, const std::string& inner) {
  return fmt::format("    <testcase classname=\"dtbench.compare\" name=\"{}\" time=\"0\">{}</testcase>\n",
                     xml_escaped(name), inner);
}

}  // namespace

std::string xml_escaped(std::string_view text) {
  std::string escaped;
  while (!text.empty()) {
    const std::size_t length = character_length(text);
    const std::string_view entity = length == 1 ? entity_of(text[0]) : "";
    escaped += length == 0 ? kReplacement : entity.empty() ? text.substr(0, length) : entity;
    text.remove_prefix(std::max<std::size_t>(1, length));
  }
  return escaped;
}

std::string junit_text(const RegressionReport& report) {
  const bool incomparable = report.verdict == Verdict::incomparable;
  std::string cases;
  if (incomparable)
    cases += case_of("conditions",
                     fmt::format("<error type=\"INCOMPARABLE\" message=\"{}\"/>", xml_escaped(headline_of(report))));
  for (const MetricReport& metric : report.metrics) cases += case_of(metric.name, outcome_of(metric.judgement));
  for (const LeftOut& left_out : report.not_compared)
    cases += case_of(left_out.name, fmt::format("<skipped message=\"{}\"/>", xml_escaped(left_out.reason)));
  const std::string counts = fmt::format(
      "tests=\"{}\" failures=\"{}\" errors=\"{}\" skipped=\"{}\"",
      report.metrics.size() + report.not_compared.size() + (incomparable ? 1 : 0), count_of(report, Verdict::regressed),
      count_of(report, Verdict::inconclusive) + (incomparable ? 1 : 0), report.not_compared.size());
  return fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"dtbench\" {0}>\n  <testsuite "
      "name=\"{1}\" {0} time=\"0\">\n{2}  </testsuite>\n</testsuites>\n",
      counts, xml_escaped(report.base.path + " against " + report.changed.path), cases);
}

}  // namespace dtbench
