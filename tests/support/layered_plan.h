// A small step plan made by hand: layers that each make a gradient, reduce it on the communication stream, and use it.
#pragma once

#include <cstdint>

#include "engine/plan/step_plan.h"

namespace dtbench {

struct LayeredPlanShape {
  int ranks = 2;
  int layers = 2;
  std::int64_t elements = 16;  ///< of each layer's gradient
  std::int64_t batch = 0;      ///< > 0: an input op in front, `features` numbers an example, on `input_stream`
  std::int64_t features = 3;
  Stream input_stream = Stream::host;
  int input_buffers = 2;
};

/// Ops in list order: [input], make0, make1, ..., reduce0, reduce1, ..., use0, use1, ...
/// make and use on the compute stream; reduce: ring all-reduce on the communication stream after its make; use after
/// its reduce. Kinds of the op table, but without their inputs: for fake kernels. Tensors: gradient0, gradient1, ...
/// then features and labels.
StepPlan layered_plan(const LayeredPlanShape& shape);

}  // namespace dtbench
