// A regression report for people: the terminal, a pull request.
#pragma once

#include <string>

#include "reports/regression/regression_report.h"
#include "reports/text_layout.h"

namespace dtbench {

/// "regressed: 1 of 4 metrics is worse ..." in one line.
std::string headline_of(const RegressionReport& report);

std::string terminal_text(const RegressionReport& report, const TextStyle& style);
std::string markdown_text(const RegressionReport& report);

/// Texts of one metric that both use.
struct MetricTexts {
  std::string base, changed, change, interval, p_value, repetitions, noise, detectable;
};
MetricTexts texts_of(const MetricReport& metric);

}  // namespace dtbench
