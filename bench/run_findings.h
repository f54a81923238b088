// What a reader should notice about how a run was made; what its numbers say is reports/findings.h.
#pragma once

#include <vector>

#include "bench/closed_loop.h"
#include "reports/run_result.h"
#include "topologies/base/error.h"
#include "topologies/host_probe.h"

namespace dtbench {

/// Fills `result.findings`, worst first, and the disturbance in `result.environment`.
void add_findings(RunResult& result, const Machine& machine, const HostLoop& host, const HostFacts& facts);

/// regressed when one is an error.
ExitCode exit_code(const std::vector<Finding>& findings);

}  // namespace dtbench
