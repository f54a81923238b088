#include "engine/cpu/kernels/arrays.h"
#include "engine/cpu/kernels/kernels.h"
#include "engine/cpu/onednn_matmul.h"

namespace dtbench::cpu {

namespace {

/// outputs[0] = inputs[first] * inputs[1 - first], each possibly transposed; all leading dimensions are rows.
struct Product {
  std::size_t first = 0;
  bool transpose_first = false, transpose_second = false;
};

std::unique_ptr<Kernel> make_product(const KernelRequest& request, const CoreTeam& team, const Product& product) {
  const RowShape a = row_shape(request.inputs.at(product.first)), c = row_shape(request.outputs.at(0));
  const MatmulRequest matmul = {.rows = c.rows,
                                .columns = c.columns,
                                .depth = product.transpose_first ? a.rows : a.columns,
                                .transpose_a = product.transpose_first,
                                .transpose_b = product.transpose_second,
                                .a = input(request, product.first),
                                .b = input(request, 1 - product.first),
                                .c = output(request, 0)};
  return make_kernel([product = OnednnMatmul(matmul, team.size())]() mutable { product.run(); });
}

bool weight_is_transposed(const KernelRequest& request) { return attribute(request, "transpose_weight", 0) != 0; }

}  // namespace

std::unique_ptr<Kernel> make_dense(const KernelRequest& request, const CoreTeam& team) {
  return make_product(request, team, {.transpose_second = weight_is_transposed(request)});
}

std::unique_ptr<Kernel> make_dense_grad_input(const KernelRequest& request, const CoreTeam& team) {
  return make_product(request, team, {.transpose_second = !weight_is_transposed(request)});
}

// dw = xT dy; of a weight stored as its transpose, dyT x.
std::unique_ptr<Kernel> make_dense_grad_weight(const KernelRequest& request, const CoreTeam& team) {
  return make_product(request, team, {.first = weight_is_transposed(request) ? 1U : 0U, .transpose_first = true});
}

}  // namespace dtbench::cpu
