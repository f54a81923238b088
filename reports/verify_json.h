// VerifyResult <-> JSON (`dtbench.verify/1`, verify.schema.json).
#pragma once

#include <string>

#include "reports/verify_result.h"
#include "topologies/base/json_reader.h"

namespace dtbench {

std::string verify_result_to_json_text(const VerifyResult& result);
VerifyResult verify_result_from_json(const Json& document, const std::string& name);

}  // namespace dtbench
