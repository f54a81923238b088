// Hand-made results for tests: complete, plausible, and not made by any code under test but derive_scaling.
#pragma once

#include "reports/bench_result.h"
#include "reports/run_result.h"
#include "reports/train_result.h"
#include "reports/verify_result.h"

namespace dtbench {

/// A point with a predicted step time of `seconds` and a band of -`half_width` to +`half_width` of it.
Point example_point(int devices, double seconds, double half_width);
Topology example_topology();

/// mlp on 1..8 x A100, weak scaling, bands of 20 to 30 %, with a closed loop on a host of two cores; no findings.
RunResult example_run();
VerifyResult example_verify();
BenchResult example_bench();
TrainResult example_train();

}  // namespace dtbench
