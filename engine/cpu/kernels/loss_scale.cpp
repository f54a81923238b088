#include "engine/runtime/loss_scale.h"

#include "engine/cpu/kernels/arrays.h"
#include "engine/cpu/kernels/kernels.h"

namespace dtbench::cpu {

namespace {

struct Gradient {
  const float* values = nullptr;
  std::int64_t count = 0;
};

bool is_finite(const Gradient& gradient, const CoreTeam& team, std::vector<char>& finite) {
  std::ranges::fill(finite, char{1});
  team.split(gradient.count, kGrain, [&](const Piece& piece) {
    finite[static_cast<std::size_t>(piece.member)] =
        loops().all_finite(gradient.values + piece.first, piece.last - piece.first) ? 1 : 0;
  });
  return std::ranges::find(finite, char{0}) == finite.end();
}

}  // namespace

std::unique_ptr<Kernel> make_all_finite(const KernelRequest& request, const CoreTeam& team) {
  std::vector<Gradient> gradients;
  for (std::size_t i = 0; i < request.inputs.size(); ++i)
    gradients.push_back({input(request, i), request.inputs[i].elements()});
  return make_kernel([&team, gradients, finite = output<std::int32_t>(request, 0),
                      culprit = output<std::int32_t>(request, 1),
                      by_member = std::vector<char>(static_cast<std::size_t>(team.size()))]() mutable {
    const auto bad = std::ranges::find_if(
        gradients, [&](const Gradient& gradient) { return !is_finite(gradient, team, by_member); });
    *finite = bad == gradients.end() ? 1 : 0;
    *culprit = *finite ? -1 : static_cast<std::int32_t>(bad - gradients.begin());
  });
}

std::unique_ptr<Kernel> make_update_loss_scale(const KernelRequest& request, const CoreTeam&) {
  return make_kernel([finite = input<std::int32_t>(request, 0), culprit = input<std::int32_t>(request, 1),
                      scale = output(request, 0), counters = output<std::int32_t>(request, 1),
                      growth_steps = static_cast<std::int32_t>(request.op.attributes.at("growth_steps"))] {
    advance_loss_scale(*finite != 0, *culprit, growth_steps, *scale, {counters, 3});
  });
}

}  // namespace dtbench::cpu
