#include "engine/reference/kernels/kernels.h"
#include "engine/reference/kernels/typed_kernel.h"

namespace dtbench::reference {

namespace {

/// A row-major matrix, or its transpose, read element by element.
template <class Real>
struct Matrix {
  std::span<const Real> elements;
  std::size_t columns = 0;
  bool transposed = false;
  Real at(std::size_t row, std::size_t column) const {
    return transposed ? elements[column * columns + row] : elements[row * columns + column];
  }
};

template <class Real>
Matrix<Real> matrix(const KernelRequest& request, std::size_t index, bool transposed = false) {
  return {input<Real>(request, index), extent_of(request.inputs.at(index)).columns, transposed};
}

template <class Real>
void multiply(const Matrix<Real>& a, const Matrix<Real>& b, std::span<Real> c, Extent extent, std::size_t depth) {
  for (std::size_t row = 0; row < extent.rows; ++row) {
    for (std::size_t column = 0; column < extent.columns; ++column) {
      Real sum = 0;
      for (std::size_t k = 0; k < depth; ++k) sum += a.at(row, k) * b.at(k, column);
      c[row * extent.columns + column] = sum;
    }
  }
}

/// outputs[0] = inputs[0] * inputs[1], each possibly transposed; `depth` is the length of the sums.
std::unique_ptr<Kernel> make_product(const KernelRequest& request, bool transpose_a, bool transpose_b,
                                     std::size_t depth) {
  return typed_kernel(request, [&]<class Real>(Real) {
    return [a = matrix<Real>(request, 0, transpose_a), b = matrix<Real>(request, 1, transpose_b),
            c = output<Real>(request, 0), extent = extent_of(request.outputs.at(0)),
            depth] { multiply(a, b, c, extent, depth); };
  });
}

}  // namespace

std::unique_ptr<Kernel> make_dense(const KernelRequest& request) {
  return make_product(request, false, false, extent_of(request.inputs.at(0)).columns);
}

std::unique_ptr<Kernel> make_dense_grad_input(const KernelRequest& request) {
  return make_product(request, false, true, extent_of(request.inputs.at(0)).columns);
}

std::unique_ptr<Kernel> make_dense_grad_weight(const KernelRequest& request) {
  return make_product(request, true, false, extent_of(request.inputs.at(0)).rows);
}

}  // namespace dtbench::reference
