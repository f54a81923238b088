#include "engine/cpu/host_probe.h"

#include <hwloc.h>
#include <omp.h>

#include <algorithm>
#include <cmath>

#include "engine/cpu/control_group.h"
#include "engine/cpu/isa.h"
#include "topologies/base/error.h"

namespace dtbench {

namespace {

struct DestroyTopology {
  void operator()(hwloc_topology_t topology) const { hwloc_topology_destroy(topology); }
};
using HwlocTopology = std::unique_ptr<hwloc_topology, DestroyTopology>;

struct FreeBitmap {
  void operator()(hwloc_bitmap_t bitmap) const { hwloc_bitmap_free(bitmap); }
};
using Bitmap = std::unique_ptr<hwloc_bitmap_s, FreeBitmap>;

HwlocTopology load_topology() {
  hwloc_topology_t raw = nullptr;
  if (hwloc_topology_init(&raw) != 0 || hwloc_topology_load(raw) != 0) {
    throw Error(ExitCode::run_failed, {.where = "topology 'host'", .found = "hwloc cannot read this machine"});
  }
  return HwlocTopology(raw);
}

/// With OMP_PROC_BIND set, libgomp has already pinned the main thread to the first of its places.
void add_openmp_places(hwloc_bitmap_t cpus) {
  for (int place = 0; place < omp_get_num_places(); ++place) {
    std::vector<int> members(static_cast<std::size_t>(omp_get_place_num_procs(place)));
    omp_get_place_proc_ids(place, members.data());
    for (const int cpu : members) hwloc_bitmap_set(cpus, static_cast<unsigned>(cpu));
  }
}

Bitmap usable_cpus(hwloc_topology_t topology) {
  Bitmap cpus(hwloc_bitmap_alloc());
  if (hwloc_get_cpubind(topology, cpus.get(), HWLOC_CPUBIND_PROCESS) != 0) hwloc_bitmap_fill(cpus.get());
  add_openmp_places(cpus.get());
  hwloc_bitmap_and(cpus.get(), cpus.get(), hwloc_topology_get_allowed_cpuset(topology));
  return cpus;
}

/// The first usable logical CPU of each core; of each logical CPU where the machine does not tell its cores.
std::vector<int> first_cpus(hwloc_topology_t topology, hwloc_const_bitmap_t usable) {
  std::vector<int> cpus;
  const auto type = hwloc_get_nbobjs_by_type(topology, HWLOC_OBJ_CORE) > 0 ? HWLOC_OBJ_CORE : HWLOC_OBJ_PU;
  const Bitmap common(hwloc_bitmap_alloc());
  for (hwloc_obj_t core = nullptr; (core = hwloc_get_next_obj_by_type(topology, type, core)) != nullptr;) {
    hwloc_bitmap_and(common.get(), core->cpuset, usable);
    if (!hwloc_bitmap_iszero(common.get())) cpus.push_back(hwloc_bitmap_first(common.get()));
  }
  return cpus;
}

int usable_numa_nodes(hwloc_topology_t topology, hwloc_const_bitmap_t usable) {
  int nodes = 0;
  for (hwloc_obj_t node = nullptr;
       (node = hwloc_get_next_obj_by_type(topology, HWLOC_OBJ_NUMANODE, node)) != nullptr;) {
    nodes += hwloc_bitmap_intersects(node->cpuset, usable);
  }
  return std::max(nodes, 1);
}

double last_level_cache_bytes(hwloc_topology_t topology) {
  for (const auto type : {HWLOC_OBJ_L4CACHE, HWLOC_OBJ_L3CACHE, HWLOC_OBJ_L2CACHE}) {
    const hwloc_obj_t cache = hwloc_get_obj_by_type(topology, type, 0);
    if (cache != nullptr) return static_cast<double>(cache->attr->cache.size);
  }
  return 0;
}

std::string cpu_name(hwloc_topology_t topology) {
  for (const hwloc_obj_t object :
       {hwloc_get_obj_by_type(topology, HWLOC_OBJ_PACKAGE, 0), hwloc_get_root_obj(topology)}) {
    const char* name = object == nullptr ? nullptr : hwloc_obj_get_info_by_name(object, "CPUModel");
    if (name != nullptr) return name;
  }
  return "unknown CPU";
}

class HwlocHostProbe : public HostProbe {
 public:
  HostFacts facts() const override {
    const HwlocTopology topology = load_topology();
    const Bitmap usable = usable_cpus(topology.get());
    const ControlGroupLimits limits = control_group_limits();
    HostFacts facts;
    facts.cpu_name = cpu_name(topology.get());
    facts.core_cpus = first_cpus(topology.get(), usable.get());
    DTBENCH_CHECK(!facts.core_cpus.empty());
    const double quota = std::max(1.0, std::floor(limits.cpus));
    if (quota < static_cast<double>(facts.core_cpus.size())) facts.core_cpus.resize(static_cast<std::size_t>(quota));
    facts.cores = static_cast<int>(facts.core_cpus.size());
    facts.numa_nodes = usable_numa_nodes(topology.get(), usable.get());
    facts.memory_bytes =
        std::min(limits.memory_bytes, static_cast<double>(hwloc_get_root_obj(topology.get())->total_memory));
    facts.last_level_cache_bytes = last_level_cache_bytes(topology.get());
    facts.isa = name_of(widest_isa());
    return facts;
  }
};

}  // namespace

std::unique_ptr<HostProbe> make_host_probe() { return std::make_unique<HwlocHostProbe>(); }

}  // namespace dtbench
