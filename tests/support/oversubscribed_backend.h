// A back end that claims more devices than it has: several share the same cores. For tests of equality, not of speed.
#pragma once

#include <algorithm>
#include <memory>
#include <utility>

#include "engine/runtime/backend.h"

namespace dtbench {

class OversubscribedBackend : public Backend {
 public:
  OversubscribedBackend(std::unique_ptr<Backend> inner, int devices) : inner_(std::move(inner)), devices_(devices) {}
  BackendTraits traits() const override { return inner_->traits(); }
  int device_count(int) const override { return devices_; }
  std::unique_ptr<Device> open_device(int index, int threads_per_device) const override {
    return inner_->open_device(index % std::max(inner_->device_count(threads_per_device), 1), threads_per_device);
  }
  std::unique_ptr<Communicator> make_communicator(int members, double wait_limit_seconds) const override {
    return inner_->make_communicator(members, wait_limit_seconds);
  }

 private:
  std::unique_ptr<Backend> inner_;
  int devices_;
};

}  // namespace dtbench
