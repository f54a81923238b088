// A family of devices: the reference back end (plain loops, float64 too), the CPU (oneDNN, hwloc), later CUDA.
#pragma once

#include <memory>
#include <string>

#include "engine/plan/strategy.h"
#include "engine/runtime/communicator.h"
#include "engine/runtime/device.h"

namespace dtbench {

class Backend {
 public:
  virtual ~Backend() = default;
  virtual BackendTraits traits() const = 0;
  /// Devices of `threads_per_device` cores each that this machine has.
  virtual int device_count(int threads_per_device) const = 0;
  virtual std::unique_ptr<Device> open_device(int index, int threads_per_device) const = 0;
  virtual std::unique_ptr<Communicator> make_communicator(int members, double wait_limit_seconds) const = 0;
};

}  // namespace dtbench
