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
      Wide<Real> sum = 0;
      for (std::size_t k = 0; k < depth; ++k) sum += Wide<Real>(a.at(row, k)) * b.at(k, column);
      c[row * extent.columns + column] = sum;
    }
  }
}

/// outputs[0] = inputs[first] * inputs[1 - first], each possibly transposed.
struct Product {
  std::size_t first = 0;
  bool transpose_first = false, transpose_second = false;
};

std::unique_ptr<Kernel> make_product(const KernelRequest& request, const Product& product) {
  const Extent first = extent_of(request.inputs.at(product.first));
  return storage_kernel(request, [&]<class Real>(Real) {
    return [a = matrix<Real>(request, product.first, product.transpose_first),
            b = matrix<Real>(request, 1 - product.first, product.transpose_second), c = output<Real>(request, 0),
            extent = extent_of(request.outputs.at(0)),
            depth = product.transpose_first ? first.rows : first.columns] { multiply(a, b, c, extent, depth); };
  });
}

bool weight_is_transposed(const KernelRequest& request) { return attribute(request, "transpose_weight", 0) != 0; }

}  // namespace

std::unique_ptr<Kernel> make_dense(const KernelRequest& request) {
  return make_product(request, {.transpose_second = weight_is_transposed(request)});
}

std::unique_ptr<Kernel> make_dense_grad_input(const KernelRequest& request) {
  return make_product(request, {.transpose_second = !weight_is_transposed(request)});
}

// dw = xT dy; of a weight stored as its transpose, dyT x.
std::unique_ptr<Kernel> make_dense_grad_weight(const KernelRequest& request) {
  return make_product(request, {.first = weight_is_transposed(request) ? 1U : 0U, .transpose_first = true});
}

}  // namespace dtbench::reference
