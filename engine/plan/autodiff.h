// Reverse-mode differentiation of a static graph.
#pragma once

#include "engine/plan/graph.h"

namespace dtbench {

/// Appends backward operations for every parameter that the loss depends on. No gradient is computed for inputs and
/// labels. Gradients that meet are added by `add` ops. A parameter without influence on the loss is an error that names
/// it.
void add_backward(Graph& graph);

}  // namespace dtbench
