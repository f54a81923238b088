// Through this interface the topology `host` is asked; hwloc implements it in engine/cpu.
#pragma once

#include <string>
#include <vector>

namespace dtbench {

struct HostFacts {
  std::string cpu_name;
  int cores = 1;               ///< physical cores this process may use
  std::vector<int> core_cpus;  ///< one logical CPU per core, for pinning
  int numa_nodes = 1;
  double memory_bytes = 0;
  double last_level_cache_bytes = 0;
  std::string isa;  ///< "avx512", "avx2", ...
  bool operator==(const HostFacts&) const = default;
};

class HostProbe {
 public:
  virtual ~HostProbe() = default;
  virtual HostFacts facts() const = 0;
};

}  // namespace dtbench
