// A regression report as JUnit XML, which continuous integration shows as tests.
#pragma once

#include <string>

#include "reports/regression/regression_report.h"

namespace dtbench {

/// One test case a metric: regressed is a failure, inconclusive and incomparable are errors (neither a success nor a
/// known failure), what is not compared is skipped.
std::string junit_text(const RegressionReport& report);

/// `text` inside an attribute or element: the five characters escaped; what XML 1.0 cannot hold becomes U+FFFD.
std::string xml_escaped(std::string_view text);

}  // namespace dtbench
