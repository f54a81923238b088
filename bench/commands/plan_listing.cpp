// dtbench plan-listing: the plan that engine and simulator share, at one device count.
#include <fmt/core.h>

#include <CLI/CLI.hpp>

#include "bench/commands/command.h"
#include "bench/host.h"
#include "bench/options.h"
#include "bench/study.h"
#include "engine/cpu/host_probe.h"

namespace dtbench {

std::function<int()> declare_plan_listing(CLI::App& app) {
  auto arguments = SpecArguments::declare(app, kMachineOptions | kWorkOptions | kModelSizeOptions | kScaleOptions);
  return [arguments] {
    const RunSpec spec = arguments->resolve();
    const Topology topology = resolve_topology(spec, *make_host_probe());
    const auto counts = device_counts(spec, topology.devices());
    const auto planned = plan_points(spec, topology, {counts.back()});
    fmt::print("{}", plan_listing(planned.front().plan));
    return 0;
  };
}

}  // namespace dtbench
