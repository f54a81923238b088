// The CPU: a device is a group of pinned cores. Matrix products by oneDNN, everything else by our own vectorised loops.
#pragma once

#include <memory>

#include "engine/runtime/backend.h"

namespace dtbench {

/// Asks the host once (host_probe.h); devices share its cores without overlap.
std::unique_ptr<Backend> make_cpu_backend();

}  // namespace dtbench
