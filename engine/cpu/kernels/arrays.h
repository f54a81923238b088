// The buffers of a request as the arrays that the loops take, and how finely work is cut.
#pragma once

#include <algorithm>

#include "engine/cpu/loops/loops.h"
#include "engine/runtime/function_kernel.h"
#include "engine/runtime/visit_dtype.h"
#include "topologies/base/error.h"

namespace dtbench::cpu {

/// Elements that are worth a wake-up of the team; also keeps the bounds of pieces at cache lines.
inline constexpr std::int64_t kGrain = 8192;

template <class T = float>
const T* input(const KernelRequest& request, std::size_t index) {
  return data_of<const T>(request.inputs.at(index), request.op.name);
}

/// nullptr when the op has fewer inputs.
template <class T = float>
const T* optional_input(const KernelRequest& request, std::size_t index) {
  return index < request.inputs.size() ? input<T>(request, index) : nullptr;
}

template <class T = float>
T* output(const KernelRequest& request, std::size_t index) {
  return data_of<T>(request.outputs.at(index), request.op.name);
}

/// The kernel that `make` returns for the storage type of the first output: float, Bfloat16 or Float16.
template <class Make>
std::unique_ptr<Kernel> storage_kernel(const KernelRequest& request, const Make& make) {
  const auto made = [&](auto real) { return make_kernel(make(real)); };
  return visit_dtype<float, Bfloat16, Float16>(request.outputs.at(0).dtype, request.op.name, made);
}

inline const std::int32_t* labels(const KernelRequest& request, std::size_t index) {
  return data_of<const std::int32_t>(request.inputs.at(index), request.op.name);
}

/// A buffer as a matrix: all leading dimensions are rows.
inline RowShape row_shape(const Buffer& matrix) {
  DTBENCH_CHECK(!matrix.shape.empty());
  RowShape shape{1, matrix.shape.back()};
  for (std::size_t axis = 0; axis + 1 < matrix.shape.size(); ++axis) shape.rows *= matrix.shape[axis];
  return shape;
}

/// A buffer as rows of `columns` elements.
inline RowShape rows_of(const Buffer& buffer, std::int64_t columns) {
  return {columns == 0 ? 0 : buffer.elements() / columns, columns};
}

/// An attribute; `otherwise` when the op does not have it.
inline double attribute(const KernelRequest& request, const std::string& name, double otherwise) {
  const auto found = request.op.attributes.find(name);
  return found == request.op.attributes.end() ? otherwise : found->second;
}

/// Rows that make up a grain.
inline std::int64_t row_grain(const RowShape& shape) {
  return std::max<std::int64_t>(1, kGrain / std::max<std::int64_t>(1, shape.columns));
}

}  // namespace dtbench::cpu
