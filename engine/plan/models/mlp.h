// Multi-layer perceptron: `layers` hidden dense layers of `hidden` units with bias and relu, one output layer, softmax
// cross-entropy. Parameters: (inputs + 1) * hidden + (layers - 1) * (hidden + 1) * hidden + (hidden + 1) * classes.
#pragma once

#include "engine/plan/models/model.h"

namespace dtbench {

ModelFamily mlp_family();

}  // namespace dtbench
