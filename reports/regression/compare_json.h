// JSON of a regression report (`dtbench.compare/1`, compare.schema.json).
#pragma once

#include <string>

#include "reports/regression/regression_report.h"

namespace dtbench {

std::string regression_report_to_json_text(const RegressionReport& report, const std::string& command);

}  // namespace dtbench
