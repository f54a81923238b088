#include "sim/flow/link_capacities.h"

#include <cmath>
#include <string>

#include <fmt/format.h>

#include "topologies/base/error.h"
#include "topologies/base/suggest.h"

namespace dtbench {
namespace {

void degrade(const DegradedLink& broken, const std::vector<Link>& links, std::vector<double>& capacities) {
  if (!(broken.factor > 0) || !std::isfinite(broken.factor))
    throw_bad_input(
        {"degraded link '" + broken.link + "'", fmt::format("factor {}", broken.factor), "a number > 0", ""});
  std::vector<std::string> names;
  for (std::size_t l = 0; l < links.size(); ++l) {
    if (links[l].name == broken.link) {
      capacities[l] *= broken.factor;
      return;
    }
    names.push_back(links[l].name);
  }
  throw_bad_input({"degraded link", "'" + broken.link + "'",
                   fmt::format("one of the {} links of the machine", links.size()), did_you_mean(broken.link, names)});
}

}  // namespace

std::vector<double> link_capacities(const TopologyGraph& graph, const Topology& topology,
                                    const Calibration& calibration, const std::vector<DegradedLink>& degraded) {
  const auto efficiency = [&](const Tier& tier) { return calibration.link(tier.link_class).efficiency.value; };
  const double within = topology.devices_per_node > 1 ? efficiency(topology.within_node) : 1;
  const double between = topology.between_nodes ? efficiency(*topology.between_nodes) : 1;
  std::vector<double> capacities;
  capacities.reserve(graph.links().size());
  for (const Link& link : graph.links()) capacities.push_back(link.bandwidth * (link.between_nodes ? between : within));
  for (const DegradedLink& broken : degraded) degrade(broken, graph.links(), capacities);
  return capacities;
}

}  // namespace dtbench
