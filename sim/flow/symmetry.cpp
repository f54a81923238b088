#include "sim/flow/symmetry.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <map>
#include <numeric>
#include <unordered_map>

namespace dtbench {
namespace {

using Colour = std::uint64_t;

Colour mix(Colour x) {  // splitmix64
  x += 0x9e3779b97f4a7c15;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
  x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
  return x ^ (x >> 31);
}

Colour crossing(Colour other, int times) { return mix(other + mix(static_cast<Colour>(times))); }

std::size_t distinct(std::vector<Colour> colours) {
  std::sort(colours.begin(), colours.end());
  return static_cast<std::size_t>(std::unique(colours.begin(), colours.end()) - colours.begin());
}

struct Colouring {
  std::vector<Colour> flows, links;
  std::size_t count() const { return distinct(flows) + distinct(links); }
};

Colouring first_colours(const FlowSystem& system) {
  Colouring colours;
  for (const FlowSystem::Flow& flow : system.flows) colours.flows.push_back(mix(static_cast<Colour>(flow.together)));
  for (const double capacity : system.capacities) colours.links.push_back(mix(std::bit_cast<Colour>(capacity)));
  return colours;
}

/// A multiset of colours is hashed as a sum, so that its order does not matter.
Colouring refined(const FlowSystem& system, const Colouring& before) {
  Colouring after{before.flows, std::vector<Colour>(before.links.size(), 0)};
  for (std::size_t f = 0; f < system.flows.size(); ++f) {
    Colour sum = 0;
    for (const LinkUse& use : system.flows[f].links) {
      const auto link = static_cast<std::size_t>(use.link);
      sum += crossing(before.links[link], use.times);
      after.links[link] += crossing(before.flows[f], use.times);
    }
    after.flows[f] = mix(before.flows[f] ^ mix(sum));
  }
  for (std::size_t l = 0; l < after.links.size(); ++l) after.links[l] = mix(before.links[l] ^ mix(after.links[l]));
  return after;
}

Colouring stable_colours(const FlowSystem& system) {
  Colouring colours = first_colours(system);
  for (std::size_t before = 0, now = colours.count(); now != before;) {
    before = now;
    colours = refined(system, colours);
    now = colours.count();
  }
  return colours;
}

/// Numbers the colours in order of appearance.
struct Classes {
  std::vector<int> class_of, representatives;

  explicit Classes(const std::vector<Colour>& colours) {
    std::unordered_map<Colour, int> known;
    for (std::size_t i = 0; i < colours.size(); ++i) {
      const auto [entry, is_new] = known.emplace(colours[i], static_cast<int>(known.size()));
      if (is_new) representatives.push_back(static_cast<int>(i));
      class_of.push_back(entry->second);
    }
  }
};

/// How often the flows of each class cross one link: ascending, each class once.
using Load = std::vector<LinkUse>;  // `link` is a class of flows here

std::vector<Load> loads(const FlowSystem& system, const Classes& flows, const Classes& links) {
  std::vector<std::map<int, int>> times(links.representatives.size());
  for (std::size_t f = 0; f < system.flows.size(); ++f)
    for (const LinkUse& use : system.flows[f].links) {
      const auto link = static_cast<std::size_t>(links.class_of[static_cast<std::size_t>(use.link)]);
      if (links.representatives[link] == use.link) times[link][flows.class_of[f]] += use.times;
    }
  std::vector<Load> result;
  for (const std::map<int, int>& load : times) {
    Load& uses = result.emplace_back();
    for (const auto& [flow, count] : load) uses.push_back({flow, count});
  }
  return result;
}

/// Divides the crossings by their greatest common divisor, which is returned.
int normalise(Load& load) {
  int divisor = 0;
  for (const LinkUse& use : load) divisor = std::gcd(divisor, use.times);
  for (LinkUse& use : load) use.times /= std::max(divisor, 1);
  return std::max(divisor, 1);
}

struct ByUses {
  bool operator()(const Load& a, const Load& b) const {
    return std::lexicographical_compare(a.begin(), a.end(), b.begin(), b.end(), [](const LinkUse& x, const LinkUse& y) {
      return x.link != y.link ? x.link < y.link : x.times < y.times;
    });
  }
};

}  // namespace

ReducedFlows reduce_symmetry(const FlowSystem& full) {
  const Colouring colours = stable_colours(full);
  const Classes flows(colours.flows), links(colours.links);
  std::vector<Load> load = loads(full, flows, links);

  // Links that the same flows cross equally often limit them together: the smallest stands for all.
  std::map<Load, double, ByUses> smallest;
  for (std::size_t l = 0; l < load.size(); ++l) {
    if (load[l].empty()) continue;
    const double capacity = full.capacities[static_cast<std::size_t>(links.representatives[l])] / normalise(load[l]);
    const auto [entry, is_new] = smallest.emplace(load[l], capacity);
    if (!is_new) entry->second = std::min(entry->second, capacity);
  }

  ReducedFlows reduced;
  reduced.flow_of = flows.class_of;
  for (const int representative : flows.representatives)
    reduced.system.flows.push_back({full.flows[static_cast<std::size_t>(representative)].together, {}});
  for (const auto& [uses, capacity] : smallest) {
    const int link = static_cast<int>(reduced.system.capacities.size());
    reduced.system.capacities.push_back(capacity);
    for (const LinkUse& use : uses)
      reduced.system.flows[static_cast<std::size_t>(use.link)].links.push_back({link, use.times});
  }
  return reduced;
}

}  // namespace dtbench
