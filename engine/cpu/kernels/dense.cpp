#include "engine/cpu/kernels/arrays.h"
#include "engine/cpu/kernels/float_copy.h"
#include "engine/cpu/kernels/kernels.h"
#include "engine/cpu/onednn_matmul.h"

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
std::unique_ptr<Kernel> direct(const KernelRequest& request, const CoreTeam& team, const Product& product) {
  MatmulRequest matmul = matmul_of(request, product);
  matmul.type = dtype_of<T>;
  matmul.a = input<T>(request, product.first);
  matmul.b = input<T>(request, 1 - product.first);
  matmul.c = output<T>(request, 0);
  return make_kernel([product = OnednnMatmul(matmul, team.size())]() mutable { product.run(); });
}

/// Through float copies: oneDNN 2.6 has no product of this type on this processor.
template <class T>
std::unique_ptr<Kernel> widened(const KernelRequest& request, const CoreTeam& team, const Product& product) {
  struct Copies {
    FloatCopy a, b, c;
  };
  const Buffer &first = request.inputs.at(product.first), &second = request.inputs.at(1 - product.first);
  auto copies = std::make_unique<Copies>(FloatCopy(first.elements()), FloatCopy(second.elements()),
                                         FloatCopy(request.outputs.at(0).elements()));
  MatmulRequest matmul = matmul_of(request, product);
  matmul.a = copies->a.data();
  matmul.b = copies->b.data();
  matmul.c = copies->c.data();
  return make_kernel([&team, copies = std::move(copies), product = OnednnMatmul(matmul, team.size()),
                      a = input<T>(request, product.first), b = input<T>(request, 1 - product.first),
                      c = output<T>(request, 0)]() mutable {
    copies->a.load(a, team);
    copies->b.load(b, team);
    product.run();
    copies->c.store(c, team);
  });
}

std::unique_ptr<Kernel> make_product(const KernelRequest& request, const CoreTeam& team, const Product& product) {
  return visit_dtype<float, Bfloat16, Float16>(request.outputs.at(0).dtype, request.op.name, [&]<class T>(T) {
    return OnednnMatmul::multiplies(dtype_of<T>) ? direct<T>(request, team, product) : widened<T>(request, team, product);
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
