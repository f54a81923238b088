#include <cmath>

#include "engine/runtime/counter_random.h"
#include "engine/runtime/engine_session.h"
#include "engine/runtime/rank_map.h"

namespace dtbench {
namespace {

std::vector<double> initial_values(const Tensor& tensor, std::uint64_t seed) {
  std::vector<double> values(static_cast<std::size_t>(tensor.elements()), 0.0);
  if (tensor.shape.size() < 2) return values;
  const double deviation = std::sqrt(2.0 / static_cast<double>(tensor.shape.front()));
  const std::uint64_t key = mix(seed, hash_name(tensor.name));
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = deviation * normal(key, i);
  return values;
}

}  // namespace

void initialize_parameters(EngineSession& session, std::uint64_t seed) {
  const StepPlan& plan = session.plan();
  const std::vector<int> classes = classes_of_ranks(plan);
  for (std::size_t c = 0; c < plan.classes.size(); ++c) {
    const RankClass& rank_class = plan.classes[c];
    for (const TensorId parameter : model_parameters(rank_class)) {
      const std::vector<double> values = initial_values(rank_class.tensors[static_cast<std::size_t>(parameter)], seed);
      for (int rank = 0; rank < plan.ranks; ++rank)
        if (classes[static_cast<std::size_t>(rank)] == static_cast<int>(c)) session.write(rank, parameter, values);
    }
  }
}

}  // namespace dtbench
