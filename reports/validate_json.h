// `dtbench.validate/1` (validate.schema.json).
#pragma once

#include <string>

#include "reports/validate_result.h"
#include "topologies/base/json_reader.h"

namespace dtbench {

std::string validate_result_to_json_text(const ValidateResult& result);
/// Bad-input error with file and JSON pointer.
ValidateResult validate_result_from_json(const Json& document, const std::string& name);

}  // namespace dtbench
