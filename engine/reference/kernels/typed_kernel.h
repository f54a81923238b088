// From a request of untyped buffers to a kernel of one storage type: `storage_kernel(request, [&]<class Real>(Real)
// {...})` calls the lambda with the type of the first output (float, double, Bfloat16 or Float16), `typed_kernel` only with
// float or double; the lambda returns what `run` shall do. Sums are kept in `Wide<Real>`.
#pragma once

#include <memory>
#include <span>

#include "engine/runtime/function_kernel.h"
#include "engine/runtime/visit_dtype.h"
#include "topologies/base/error.h"

namespace dtbench::reference {

template <class T>
std::span<T> elements_of(const Buffer& buffer, std::string_view where) {
  return {data_of<T>(buffer, where), static_cast<std::size_t>(buffer.elements())};
}

template <class Real>
std::span<const Real> input(const KernelRequest& request, std::size_t index) {
  return elements_of<const Real>(request.inputs.at(index), request.op.name);
}

/// Empty when the op has fewer inputs.
template <class Real>
std::span<const Real> optional_input(const KernelRequest& request, std::size_t index) {
  return index < request.inputs.size() ? input<Real>(request, index) : std::span<const Real>();
}

template <class Real>
std::span<Real> output(const KernelRequest& request, std::size_t index) {
  return elements_of<Real>(request.outputs.at(index), request.op.name);
}

inline std::span<const std::int32_t> labels(const KernelRequest& request, std::size_t index) {
  return elements_of<const std::int32_t>(request.inputs.at(index), request.op.name);
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
  const auto made = [&](auto real) { return make_kernel(make(real)); };
  return visit_dtype<float, double>(request.outputs.at(0).dtype, request.op.name, made);
}

template <class Make>
std::unique_ptr<Kernel> storage_kernel(const KernelRequest& request, Make make) {
  const auto made = [&](auto real) { return make_kernel(make(real)); };
  return visit_dtype<float, double, Bfloat16, Float16>(request.outputs.at(0).dtype, request.op.name, made);
}

}  // namespace dtbench::reference
