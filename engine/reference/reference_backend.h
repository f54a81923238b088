// The oracle of every other back end: plain loops in float or double, no threads of its own, nothing pinned.
#pragma once

#include <memory>

#include "engine/runtime/backend.h"

namespace dtbench {

/// The element type follows the buffers: float32 plans run in float, plans of `to_float64` in double.
std::unique_ptr<Backend> make_reference_backend();

}  // namespace dtbench
