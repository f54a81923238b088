#include <cmath>
#include <set>

#include "engine/runtime/counter_random.h"
#include "engine/runtime/engine_session.h"
#include "engine/runtime/rank_map.h"

namespace dtbench {
namespace {

// Buckets have the role of what lies in them; the parameters are the views.
std::vector<TensorId> parameters_of(const RankClass& rank_class) {
  std::set<TensorId> bases;
  for (const Tensor& tensor : rank_class.tensors)
    if (tensor.view) bases.insert(tensor.view->base);
  std::vector<TensorId> parameters;
  for (std::size_t t = 0; t < rank_class.tensors.size(); ++t) {
    const auto id = static_cast<TensorId>(t);
    if (rank_class.tensors[t].role == TensorRole::parameter && !bases.contains(id)) parameters.push_back(id);
  }
  return parameters;
}

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
    for (const TensorId parameter : parameters_of(rank_class)) {
      const std::vector<double> values = initial_values(rank_class.tensors[static_cast<std::size_t>(parameter)], seed);
      for (int rank = 0; rank < plan.ranks; ++rank)
        if (classes[static_cast<std::size_t>(rank)] == static_cast<int>(c)) session.write(rank, parameter, values);
    }
  }
}

}  // namespace dtbench
