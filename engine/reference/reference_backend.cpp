#include "engine/reference/reference_backend.h"

#include "engine/reference/reference_device.h"
#include "engine/runtime/shared_memory_communicator.h"

namespace dtbench {

namespace {

class ReferenceBackend : public Backend {
 public:
  BackendTraits traits() const override { return {.name = "reference", .alignment_bytes = alignof(double)}; }
  int device_count(int) const override { return kReferenceDevices; }
  std::unique_ptr<Device> open_device(int, int) const override { return std::make_unique<ReferenceDevice>(); }
  std::unique_ptr<Communicator> make_communicator(int members, double wait_limit_seconds) const override {
    return std::make_unique<SharedMemoryCommunicator>(members, wait_limit_seconds);
  }
};

}  // namespace

std::unique_ptr<Backend> make_reference_backend() { return std::make_unique<ReferenceBackend>(); }

}  // namespace dtbench
