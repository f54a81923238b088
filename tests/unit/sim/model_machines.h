// Machines, calibrations and plans with round numbers, for tests that compute the right answer by hand.
#pragma once

#include "engine/plan/step_plan.h"
#include "topologies/calibration.h"
#include "topologies/topology.h"

namespace dtbench::test {

/// Devices behind a switch, 100 GB/s each way; nodes joined by one 10 GB/s NIC a device.
Topology switched_machine(int nodes, int devices_per_node);

/// Every op 1 us + FLOPs at 1 TFLOP/s + bytes at 100 GB/s; links launch 10 us, 1 us a round, half the nominal
/// bandwidth.
Calibration round_calibration();

/// `layers` equal layers, forward then backward, each with its all-reduce of `bytes` a layer, then one update.
StepPlan layered_plan(int nodes, int devices_per_node, int layers, double flops, std::int64_t bytes);

}  // namespace dtbench::test
