#include <cmath>

#include "engine/runtime/counter_random.h"
#include "engine/runtime/engine_session.h"
#include "engine/runtime/rank_map.h"

namespace dtbench {
namespace {

constexpr double kTruncation = 2;  // deviations

// Drawn again until it lies inside; each attempt has numbers of its own.
double truncated_normal(std::uint64_t key, std::uint64_t index) {
  double value = normal(key, index);
  for (std::uint64_t attempt = 1; std::abs(value) > kTruncation; ++attempt) value = normal(mix(key, attempt), index);
  return value;
}

// Variance 1 (normal and uniform).
double draw(Initial::Law law, std::uint64_t key, std::uint64_t index) {
  switch (law) {
    case Initial::Law::normal:
      return normal(key, index);
    case Initial::Law::truncated_normal:
      return truncated_normal(key, index);
    case Initial::Law::uniform:
      return std::sqrt(3.0) * (2 * uniform(mix(key, index)) - 1);
  }
  return 0;
}

std::vector<TensorId> initialized_tensors(const RankClass& rank_class) {
  std::vector<TensorId> tensors = model_parameters(rank_class);
  for (std::size_t t = 0; t < rank_class.tensors.size(); ++t)
    if (rank_class.tensors[t].role == TensorRole::state) tensors.push_back(static_cast<TensorId>(t));
  return tensors;
}

std::vector<double> initial_values(const Tensor& tensor, std::uint64_t seed) {
  const Initial& initial = tensor.initial;
  std::vector<double> values(static_cast<std::size_t>(tensor.elements()), initial.mean);
  if (initial.deviation == 0) return values;
  const std::uint64_t key = mix(seed, hash_name(tensor.name));
  for (std::size_t i = 0; i < values.size(); ++i) values[i] += initial.deviation * draw(initial.law, key, i);
  return values;
}

}  // namespace

void initialize_parameters(EngineSession& session, std::uint64_t seed) {
  const StepPlan& plan = session.plan();
  const std::vector<int> classes = classes_of_ranks(plan);
  for (std::size_t c = 0; c < plan.classes.size(); ++c) {
    const RankClass& rank_class = plan.classes[c];
    for (const TensorId parameter : initialized_tensors(rank_class)) {
      const std::vector<double> values = initial_values(rank_class.tensors[static_cast<std::size_t>(parameter)], seed);
      for (int rank = 0; rank < plan.ranks; ++rank)
        if (classes[static_cast<std::size_t>(rank)] == static_cast<int>(c)) session.write(rank, parameter, values);
    }
  }
}

}  // namespace dtbench
