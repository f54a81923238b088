#include "engine/cpu/kernels/arrays.h"
#include "engine/cpu/kernels/kernels.h"
#include "engine/cpu/onednn_matmul.h"

namespace dtbench::cpu {

namespace {

enum class Transpose { none, first, second };

/// outputs[0] = inputs[0] * inputs[1], one of them possibly transposed.
std::unique_ptr<Kernel> make_product(const KernelRequest& request, const CoreTeam& team, Transpose transpose) {
  const RowShape a = row_shape(request.inputs.at(0)), c = row_shape(request.outputs.at(0));
  const MatmulRequest matmul = {.rows = c.rows,
                                .columns = c.columns,
                                .depth = transpose == Transpose::first ? a.rows : a.columns,
                                .transpose_a = transpose == Transpose::first,
                                .transpose_b = transpose == Transpose::second,
                                .a = input(request, 0),
                                .b = input(request, 1),
                                .c = output(request, 0)};
  return make_kernel([product = OnednnMatmul(matmul, team.size())]() mutable { product.run(); });
}

}  // namespace

std::unique_ptr<Kernel> make_dense(const KernelRequest& request, const CoreTeam& team) {
  return make_product(request, team, Transpose::none);
}

std::unique_ptr<Kernel> make_dense_grad_input(const KernelRequest& request, const CoreTeam& team) {
  return make_product(request, team, Transpose::second);
}

std::unique_ptr<Kernel> make_dense_grad_weight(const KernelRequest& request, const CoreTeam& team) {
  return make_product(request, team, Transpose::first);
}

}  // namespace dtbench::cpu
