// TrainResult <-> JSON (`dtbench.train/1`, train.schema.json).
#pragma once

#include <string>

#include "reports/train_result.h"
#include "topologies/base/json_reader.h"

namespace dtbench {

std::string train_result_to_json_text(const TrainResult& result);
TrainResult train_result_from_json(const Json& document, const std::string& name);

}  // namespace dtbench
