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

/// Rows and columns of a matrix buffer.
struct Extent {
  std::size_t rows = 0, columns = 0;
};

inline Extent extent_of(const Buffer& matrix) {
  DTBENCH_CHECK(matrix.shape.size() == 2);
  return {static_cast<std::size_t>(matrix.shape[0]), static_cast<std::size_t>(matrix.shape[1])};
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
