// From a request of untyped buffers to a kernel in float or double: `typed_kernel(request, [&]<class Real>(Real)
// {...})` calls the lambda with the type of the first output; the lambda returns what `run` shall do.
#pragma once

#include <memory>
#include <span>

#include "engine/runtime/function_kernel.h"
#include "topologies/base/error.h"

namespace dtbench::reference {

template <class Real>
constexpr DType dtype_of = sizeof(Real) == 8 ? DType::float64 : DType::float32;

template <class T>
std::span<T> elements_of(const Buffer& buffer, DType dtype) {
  DTBENCH_CHECK(buffer.dtype == dtype);
  return {static_cast<T*>(buffer.data), static_cast<std::size_t>(buffer.elements())};
}

template <class Real>
std::span<const Real> input(const KernelRequest& request, std::size_t index) {
  return elements_of<const Real>(request.inputs.at(index), dtype_of<Real>);
}

template <class Real>
std::span<Real> output(const KernelRequest& request, std::size_t index) {
  return elements_of<Real>(request.outputs.at(index), dtype_of<Real>);
}

inline std::span<const std::int32_t> labels(const KernelRequest& request, std::size_t index) {
  return elements_of<const std::int32_t>(request.inputs.at(index), DType::int32);
}

/// A buffer as a matrix: all leading dimensions are rows.
struct Extent {
  std::size_t rows = 1, columns = 0;
};

inline Extent extent_of(const Buffer& matrix) {
  DTBENCH_CHECK(!matrix.shape.empty());
  Extent extent;
  extent.columns = static_cast<std::size_t>(matrix.shape.back());
  for (std::size_t axis = 0; axis + 1 < matrix.shape.size(); ++axis)
    extent.rows *= static_cast<std::size_t>(matrix.shape[axis]);
  return extent;
}

/// An attribute; `otherwise` when the op does not have it.
inline double attribute(const KernelRequest& request, const std::string& name, double otherwise) {
  const auto found = request.op.attributes.find(name);
  return found == request.op.attributes.end() ? otherwise : found->second;
}

template <class Make>
std::unique_ptr<Kernel> typed_kernel(const KernelRequest& request, Make make) {
  const DType dtype = request.outputs.at(0).dtype;
  if (dtype == DType::float32) return make_kernel(make(float{}));
  if (dtype == DType::float64) return make_kernel(make(double{}));
  throw_bad_input({.where = request.op.name,
                   .found = std::string(name_of(dtype)),
                   .expected = "float32 or float64 in the reference back end"});
}

}  // namespace dtbench::reference
