// The conditions of a run: no number travels without them.
#pragma once

#include <string>

#include "reports/run_result.h"
#include "topologies/host_probe.h"

namespace dtbench {

/// Versions, machine, date (UTC) and load: version, date, cpu, cores, isa, kernel, compiler, onednn, simgrid, hwloc,
/// load_average; revision where $DTBENCH_REVISION is set.
Environment describe_environment(const HostFacts& host);

/// The command line of this process, quoted so that a shell reads it back.
std::string this_command();

/// Memory that this process may still use, in bytes (MemAvailable, or less where a control group limits it).
double available_memory_bytes();

/// What else ran on this machine while something was measured.
class DisturbanceWatch {
 public:
  DisturbanceWatch();
  struct Report {
    double steal_fraction = 0;       ///< of the machine's CPU time, taken by the hypervisor
    double other_load_fraction = 0;  ///< of the machine's CPU time, used by other processes
    double switches_per_second = 0;  ///< involuntary context switches of this process
    bool disturbed = false;
  };
  /// Since construction.
  Report report() const;

 private:
  struct Sample {
    double seconds = 0, busy = 0, steal = 0, total = 0, own = 0, switches = 0;
  };
  static Sample sample();
  Sample start_;
};

/// Adds the report to the conditions: steal_fraction, other_load_fraction, involuntary_switches_per_second, disturbed.
void record_disturbance(Environment& environment, const DisturbanceWatch::Report& report);

}  // namespace dtbench
