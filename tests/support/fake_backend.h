// A back end for tests of what runs above it: its kernels do what the test says, at no cost of their own.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <vector>

#include "engine/runtime/backend.h"

namespace dtbench {

/// One run of a kernel.
struct FakeCall {
  int device = 0;
  Stream stream = Stream::compute;
  const PlanOp& op;
  const std::vector<Buffer>& inputs;
  const std::vector<Buffer>& outputs;
  std::int64_t count = 0;  ///< runs of this kernel before
  const StepScalars* scalars = nullptr;
};

/// Settings are shared with its devices and read at each call; change them between runs only.
struct FakeSettings {
  int devices = 8;
  std::function<void(const FakeCall&)> on_run;                   ///< every kernel; nothing when empty
  std::function<void(int member)> on_collective;                 ///< before a member joins a collective
  std::function<void(int device, Stream)> on_enter;              ///< each stream thread
  std::function<void(int device, const PlanOp& op)> on_prepare;  ///< may throw
  std::atomic<std::int64_t> allocated_bytes{0};
};

class FakeBackend : public Backend {
 public:
  explicit FakeBackend(int devices = 8);
  FakeSettings& settings() { return *settings_; }

  BackendTraits traits() const override;
  int device_count(int threads_per_device) const override;
  std::unique_ptr<Device> open_device(int index, int threads_per_device) const override;
  /// A SharedMemoryCommunicator with `on_collective` before it.
  std::unique_ptr<Communicator> make_communicator(int members, double wait_limit_seconds) const override;

 private:
  std::shared_ptr<FakeSettings> settings_;
};

}  // namespace dtbench
