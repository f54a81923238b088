// A RunSpec made concrete: a plan at each device count, and the predicted point of each plan.
#pragma once

#include <vector>

#include "bench/machine.h"
#include "engine/plan/plan_step.h"
#include "engine/plan/step_trace.h"
#include "reports/run_result.h"
#include "reports/scaling.h"

namespace dtbench {

struct PlannedPoint {
  int devices = 1;
  StepPlan plan;
};

/// Every count is checked before anything is planned, so that a batch that does not divide is refused at once.
std::vector<PlannedPoint> plan_points(const RunSpec& spec, const Topology& topology, const std::vector<int>& counts);

struct PredictedPoints {
  std::vector<Point> points;  ///< predicted halves, memory, bottleneck and the scaling over the points
  StepSamples samples;  ///< behind the bands; `derive_scaling` takes them again when measured halves are filled in
  std::vector<StepTrace> traces;
};
PredictedPoints predict_points(const std::vector<PlannedPoint>& planned, const Machine& machine, const RunSpec& spec);

ModelReport model_report(const RunSpec& spec, const StepPlan& plan);

double flops_of(const RankClass& cls);  ///< of one rank, one step

/// Bytes one rank needs, of the class that needs most.
MemoryUse largest_memory(const StepPlan& plan);

}  // namespace dtbench
