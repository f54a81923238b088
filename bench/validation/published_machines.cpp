#include "bench/validation/published_machines.h"

#include <fmt/core.h>

#include <utility>

#include "topologies/base/error.h"

namespace dtbench {

const PublishedMachines::Known& PublishedMachines::find(const std::string& spelling) {
  const auto [found, fresh] = known_.try_emplace(spelling);
  if (fresh) found->second = look_up(spelling);
  return found->second;
}

std::string PublishedMachines::fault_of(const std::string& spelling, int devices) {
  const Known& machine = find(spelling);
  if (!machine.topology) return machine.fault;
  const int described = machine.topology->devices();
  if (described == devices) return "";
  return fmt::format("topology '{}' has {} devices, the row says {}", spelling, described, devices);
}

PublishedMachines::Known PublishedMachines::look_up(const std::string& spelling) const try {
  Topology topology = library_.resolve(spelling, *probe_);
  const ExchangeCost exchange = exchange_cost(topology);
  return {std::move(topology), exchange, ""};
} catch (const Error& error) {
  return {std::nullopt, {}, error.what()};
}

}  // namespace dtbench
