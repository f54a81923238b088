#include "engine/collectives/algorithm.h"

#include <string>

#include "engine/collectives/hierarchical.h"
#include "engine/collectives/ring.h"
#include "topologies/base/error.h"
#include "topologies/base/suggest.h"

namespace dtbench {

namespace {

constexpr CollectiveAlgorithm kAlgorithms[] = {
    {"ring", ring_supports, ring_schedule, ring_phases},
    {"hierarchical", hierarchical_supports, hierarchical_schedule, hierarchical_phases},
};

}  // namespace

std::span<const CollectiveAlgorithm> collective_algorithms() { return kAlgorithms; }

const CollectiveAlgorithm& collective_algorithm(std::string_view name) {
  std::vector<std::string> names;
  for (const CollectiveAlgorithm& algorithm : kAlgorithms) {
    if (algorithm.name == name) return algorithm;
    names.emplace_back(algorithm.name);
  }
  throw_bad_input({"--collective", "'" + std::string(name) + "'", one_of(names), did_you_mean(name, names)});
}

}  // namespace dtbench
