// How a network that is being tried out differs from one that is being trained.
#pragma once

#include "engine/plan/graph.h"

namespace dtbench {

/// The forward graph with what training alone does taken out: batch normalisation uses its running values,
/// dropout is gone.
Graph to_evaluation(Graph graph);

}  // namespace dtbench
