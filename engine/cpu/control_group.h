// Limits that a container puts on this process (Linux control groups, version 1 and 2).
#pragma once

#include <filesystem>
#include <limits>

namespace dtbench {

struct ControlGroupLimits {
  double cpus = std::numeric_limits<double>::infinity();  ///< CPU seconds a second, all threads together
  double memory_bytes = std::numeric_limits<double>::infinity();
};

/// The tightest limits of the process's groups and their ancestors. `root` is where `proc` and `sys` lie; tests give
/// another. Files that are missing or unreadable limit nothing.
ControlGroupLimits control_group_limits(const std::filesystem::path& root = "/");

}  // namespace dtbench
