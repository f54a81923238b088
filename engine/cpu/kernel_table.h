// Which function makes the kernel of which op kind. A new kind is one file in kernels/ and one row here; loops that are
// worth vectorising go to loops/.
#pragma once

#include <memory>
#include <span>
#include <string_view>

#include "engine/cpu/core_team.h"
#include "engine/runtime/device.h"

namespace dtbench {

struct CpuKernelRow {
  std::string_view kind;  ///< row of op_rules(); the mathematics stands in engine/plan/ops/README.md
  std::unique_ptr<Kernel> (*make)(const KernelRequest& request, const CoreTeam& team);
};

std::span<const CpuKernelRow> cpu_kernels();

/// The kernel runs on `team`, which outlives it. Bad-input error that names the op when its kind has no row or its
/// tensors are
/// stored as a type that the kind is not computed in here.
std::unique_ptr<Kernel> make_cpu_kernel(const KernelRequest& request, const CoreTeam& team);

}  // namespace dtbench
