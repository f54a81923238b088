// The buffers of a request as the arrays that the loops take, and how finely work is cut.
#pragma once

#include <algorithm>

#include "engine/cpu/loops/loops.h"
#include "engine/runtime/function_kernel.h"
#include "topologies/base/error.h"

namespace dtbench::cpu {

/// Elements that are worth a wake-up of the team; also keeps the bounds of pieces at cache lines.
inline constexpr std::int64_t kGrain = 8192;

inline const float* input(const KernelRequest& request, std::size_t index) {
  return static_cast<const float*>(request.inputs.at(index).data);
}

inline float* output(const KernelRequest& request, std::size_t index) {
  return static_cast<float*>(request.outputs.at(index).data);
}

inline const std::int32_t* labels(const KernelRequest& request, std::size_t index) {
  DTBENCH_CHECK(request.inputs.at(index).dtype == DType::int32);
  return static_cast<const std::int32_t*>(request.inputs.at(index).data);
}

inline RowShape row_shape(const Buffer& matrix) {
  DTBENCH_CHECK(matrix.shape.size() == 2);
  return {matrix.shape[0], matrix.shape[1]};
}

/// Rows that make up a grain.
inline std::int64_t row_grain(const RowShape& shape) {
  return std::max<std::int64_t>(1, kGrain / std::max<std::int64_t>(1, shape.columns));
}

}  // namespace dtbench::cpu
