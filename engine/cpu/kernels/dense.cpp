#include "engine/cpu/kernels/arrays.h"
#include "engine/cpu/kernels/kernels.h"
#include "engine/cpu/kernels/widened.h"
#include "engine/cpu/onednn_matmul.h"
#include "engine/cpu/onednn_support.h"

namespace dtbench::cpu {

namespace {

/// outputs[0] = inputs[first] * inputs[1 - first], each possibly transposed; all leading dimensions are rows.
struct Product {
  std::size_t first = 0;
  bool transpose_first = false, transpose_second = false;
};

MatmulRequest matmul_of(const KernelRequest& request, const Product& product) {
  const RowShape a = row_shape(request.inputs.at(product.first)), c = row_shape(request.outputs.at(0));
  return {.rows = c.rows,
          .columns = c.columns,
          .depth = product.transpose_first ? a.rows : a.columns,
          .transpose_a = product.transpose_first,
          .transpose_b = product.transpose_second};
}

template <class T>
std::unique_ptr<Kernel> direct_product(const KernelRequest& request, const CoreTeam& team, const Product& product) {
  MatmulRequest matmul = matmul_of(request, product);
  matmul.type = dtype_of<T>;
  matmul.a = input<T>(request, product.first);
  matmul.b = input<T>(request, 1 - product.first);
  matmul.c = output<T>(request, 0);
  return make_kernel([product = OnednnMatmul(matmul, team.size())]() mutable { product.run(); });
}

template <class T>
std::unique_ptr<Kernel> widened_product(const KernelRequest& request, const CoreTeam& team, const Product& product) {
  return make_widened<T>(request, team, product.first, 1 - product.first,
                         [&](const float* a, const float* b, float* c) {
                           MatmulRequest matmul = matmul_of(request, product);
                           matmul.a = a;
                           matmul.b = b;
                           matmul.c = c;
                           return OnednnMatmul(matmul, team.size());
                         });
}

std::unique_ptr<Kernel> make_product(const KernelRequest& request, const CoreTeam& team, const Product& product) {
  return visit_dtype<float, Bfloat16, Float16>(request.outputs.at(0).dtype, request.op.name, [&]<class T>(T) {
    return onednn_computes(dtype_of<T>) ? direct_product<T>(request, team, product)
                                        : widened_product<T>(request, team, product);
  });
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
