#include <numeric>

#include "engine/cpu/kernels/arrays.h"
#include "engine/cpu/kernels/kernels.h"

namespace dtbench::cpu {

std::unique_ptr<Kernel> make_softmax_cross_entropy(const KernelRequest& request, const CoreTeam& team) {
  return make_kernel([&team, logits = input(request, 0), label = labels(request, 1), loss = output(request, 0),
                      p = output(request, 1), shape = row_shape(request.inputs.at(0)),
                      scale = request.op.attributes.at("scale"),
                      sums = std::vector<double>(static_cast<std::size_t>(team.size()))]() mutable {
    std::ranges::fill(sums, 0.0);
    team.split(shape.rows, row_grain(shape), [&](const Piece& piece) {
      const std::int64_t first = piece.first * shape.columns;
      sums[static_cast<std::size_t>(piece.member)] = loops().softmax_cross_entropy(
          logits + first, label + piece.first, p + first, {piece.last - piece.first, shape.columns});
    });
    *loss = static_cast<float>(scale * std::accumulate(sums.begin(), sums.end(), 0.0));
  });
}

std::unique_ptr<Kernel> make_softmax_cross_entropy_grad(const KernelRequest& request, const CoreTeam& team) {
  return make_kernel([&team, p = input(request, 0), label = labels(request, 1), dlogits = output(request, 0),
                      loss_scale = optional_input(request, 2), shape = row_shape(request.inputs.at(0)),
                      mean = static_cast<float>(request.op.attributes.at("scale"))] {
    const float scale = loss_scale ? mean * *loss_scale : mean;
    team.split(shape.rows, row_grain(shape), [&](const Piece& piece) {
      const std::int64_t first = piece.first * shape.columns;
      loops().softmax_cross_entropy_grad(p + first, label + piece.first, dlogits + first,
                                         {piece.last - piece.first, shape.columns}, scale);
    });
  });
}

}  // namespace dtbench::cpu
