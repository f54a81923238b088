// Which function makes the kernel of which op kind. A new kind is one file in kernels/ and one row here.
#pragma once

#include <memory>
#include <span>
#include <string_view>

#include "engine/runtime/device.h"

namespace dtbench {

struct ReferenceKernelRow {
  std::string_view kind;  ///< row of op_rules(); the mathematics stands in engine/plan/ops/README.md
  std::unique_ptr<Kernel> (*make)(const KernelRequest& request);
};

std::span<const ReferenceKernelRow> reference_kernels();

/// Bad-input error that names the op when its kind has no row or its tensors are neither float32 nor float64.
std::unique_ptr<Kernel> make_reference_kernel(const KernelRequest& request);

}  // namespace dtbench
