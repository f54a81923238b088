// `reshape` without an operation: its output lies where its input lies.
#pragma once

#include "engine/plan/graph.h"

namespace dtbench {

/// Takes out the graph's `reshape` ops and makes their outputs views of what they reshaped. Parameters, which become
/// views of their buckets later, keep their op: a copy.
void turn_reshapes_into_views(Graph& graph);

}  // namespace dtbench
