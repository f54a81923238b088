#include <vector>

#include "engine/cpu/kernels/arrays.h"
#include "engine/cpu/kernels/kernels.h"

namespace dtbench::cpu {

namespace {

/// Sums of gamma's and beta's gradients of each member's rows, added up in the members' order.
class ParameterSums {
 public:
  ParameterSums(int members, std::int64_t columns)
      : columns_(columns), sums_(static_cast<std::size_t>(2 * members * columns)) {}

  void clear() { std::ranges::fill(sums_, 0.0F); }
  float* gamma(int member) { return sums_.data() + 2 * member * columns_; }
  float* beta(int member) { return gamma(member) + columns_; }

  void write(float* dgamma, float* dbeta) const {
    std::copy_n(sums_.data(), columns_, dgamma);
    std::copy_n(sums_.data() + columns_, columns_, dbeta);
    for (auto part = sums_.begin() + 2 * columns_; part != sums_.end(); part += 2 * columns_) {
      for (std::int64_t j = 0; j < columns_; ++j) {
        dgamma[j] += part[j];
        dbeta[j] += part[columns_ + j];
      }
    }
  }

 private:
  std::int64_t columns_;
  std::vector<float> sums_;
};

}  // namespace

std::unique_ptr<Kernel> make_layer_norm(const KernelRequest& request, const CoreTeam& team) {
  return storage_kernel(request, [&]<class T>(T) {
    const LayerNormRows<T> all = {input<T>(request, 0),  input(request, 1),  input(request, 2),
                                  output<T>(request, 0), output(request, 1), output(request, 2)};
    return [&team, all, shape = row_shape(request.inputs.at(0)),
            epsilon = static_cast<float>(request.op.attributes.at("epsilon"))] {
      team.split(shape.rows, row_grain(shape), [&](const Piece& piece) {
        const std::int64_t first = piece.first * shape.columns;
        loops().of<T>().layer_norm({all.x + first, all.gamma, all.beta, all.y + first, all.mean + piece.first,
                                    all.inverse_deviation + piece.first},
                                   {piece.last - piece.first, shape.columns}, epsilon);
      });
    };
  });
}

std::unique_ptr<Kernel> make_layer_norm_grad(const KernelRequest& request, const CoreTeam& team) {
  return storage_kernel(request, [&]<class T>(T) {
    const RowShape shape = row_shape(request.inputs.at(1));
    return [&team, shape, dy = input<T>(request, 0), x = input<T>(request, 1), gamma = input(request, 2),
            mean = input(request, 3), inverse_deviation = input(request, 4), dx = output<T>(request, 0),
            dgamma = output(request, 1), dbeta = output(request, 2),
            sums = ParameterSums(team.size(), shape.columns)]() mutable {
      sums.clear();
      team.split(shape.rows, row_grain(shape), [&](const Piece& piece) {
        const std::int64_t first = piece.first * shape.columns;
        loops().of<T>().layer_norm_grad(
            {dy + first, x + first, gamma, mean + piece.first, inverse_deviation + piece.first, dx + first,
             sums.gamma(piece.member), sums.beta(piece.member)},
            {piece.last - piece.first, shape.columns});
      });
      sums.write(dgamma, dbeta);
    };
  });
}

}  // namespace dtbench::cpu
