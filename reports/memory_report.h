// Bytes of the plan against what the device has: the verdict that a report prints.
#pragma once

#include "engine/plan/step_plan.h"
#include "reports/run_result.h"

namespace dtbench {

/// Above this share of the capacity the verdict is "tight": allocators fragment, and libraries take their own part.
inline constexpr double kTightShare = 0.9;

/// `capacity` > 0.
MemoryReport memory_report(const MemoryUse& use, std::int64_t capacity);

}  // namespace dtbench
