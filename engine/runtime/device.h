// One rank's hardware: a group of pinned cores, a GPU. Prepares kernels once, so that a step only runs them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "engine/plan/step_plan.h"

namespace dtbench {

/// A tensor in memory.
struct Buffer {
  void* data = nullptr;
  Shape shape;
  DType dtype = DType::float32;
  std::int64_t elements() const { return element_count(shape); }
};

/// A prepared operation, bound to its buffers. `run` is called once per step on the thread of the op's stream; it
/// neither allocates nor throws for anything that depends on the data. Steps are numbered over the session's life.
class Kernel {
 public:
  virtual ~Kernel() = default;
  virtual void run(std::int64_t step) = 0;
};

/// What kernels read at run time: one object per session, changed between runs only.
struct StepScalars {
  double learning_rate = 0;
  std::uint64_t seed = 1;  ///< of dropout masks
};

struct KernelRequest {
  const PlanOp& op;
  std::vector<Buffer> inputs, outputs;  ///< in the order of the op
  const StepScalars* scalars = nullptr;
  std::int64_t first_example = 0;  ///< of this replica's batch, counted over the global batch
};

class Device {
 public:
  virtual ~Device() = default;
  /// Called once by each stream's thread before its first kernel: pins it and sets its team size.
  virtual void enter(Stream stream) = 0;
  /// Aligned, zeroed memory of this device, freed with the device. Called on the compute thread (first touch).
  virtual std::byte* allocate(std::int64_t bytes) = 0;
  /// Bad-input error when this back end has no kernel for the op's kind or types.
  virtual std::unique_ptr<Kernel> prepare(const KernelRequest& request) = 0;
};

}  // namespace dtbench
