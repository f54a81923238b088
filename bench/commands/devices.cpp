// dtbench devices: the back ends of this program and what they find here.
#include <fmt/core.h>

#include <CLI/CLI.hpp>

#include "bench/commands/command.h"
#include "engine/cpu/host_probe.h"
#include "topologies/base/units.h"

namespace dtbench {

namespace {

int show() {
  const HostFacts host = make_host_probe()->facts();
  fmt::print("cpu   {}: {} core(s), {}, {} NUMA node(s), {} memory, {} last-level cache\n", host.cpu_name, host.cores,
             host.isa, host.numa_nodes, format_bytes(host.memory_bytes), format_bytes(host.last_level_cache_bytes));
  fmt::print("      up to {} replica(s) of 1 core; `--topology host`\n", host.cores);
  fmt::print("cuda  not built: GPUs are predicted, not measured\n");
  return 0;
}

}  // namespace

std::function<int()> declare_devices(CLI::App&) { return show; }

}  // namespace dtbench
