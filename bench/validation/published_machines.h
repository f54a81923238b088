// The machines that published rows name.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>

#include "engine/cpu/host_probe.h"
#include "sim/model/job_scaling.h"
#include "topologies/topology_library.h"

namespace dtbench {

/// Machines by spelling, each looked up once; an unknown one is remembered by its message.
class PublishedMachines {
 public:
  struct Known {
    std::optional<Topology> topology;
    ExchangeCost exchange;
    std::string fault;  ///< why there is no topology
  };
  const Known& find(const std::string& spelling);
  /// Why a row on `devices` devices of this machine cannot be judged; "" when it can.
  std::string fault_of(const std::string& spelling, int devices);

 private:
  Known look_up(const std::string& spelling) const;

  TopologyLibrary library_;
  std::unique_ptr<HostProbe> probe_ = make_host_probe();
  std::map<std::string, Known> known_;
};

}  // namespace dtbench
