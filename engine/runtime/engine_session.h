// A plan loaded on this machine's devices: memory allocated, kernels prepared, threads pinned, ready to step.
// The trainer feeds and reads it; `StepEngine` (step_engine.h) wraps it as a StepRunner.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "engine/plan/step_plan.h"
#include "engine/plan/step_trace.h"
#include "engine/runtime/backend.h"
#include "engine/runtime/input_field.h"

namespace dtbench {

struct EngineOptions {
  int threads_per_replica = 1;
  double wait_limit_seconds = 60;  ///< longest wait for a peer; the error names who is missing
  std::uint64_t seed = 1;          ///< of dropout masks, and of the generated input when no InputFill is set
};

class EngineSession {
 public:
  virtual ~EngineSession() = default;
  virtual const StepPlan& plan() const = 0;
  /// Between runs only. An empty function: generated input (input_source.h), the same batches whatever the number of
  /// replicas.
  virtual void set_input(InputFill fill) = 0;
  /// Runs `steps` steps on all ranks, back to back, and returns their traces when `trace` is set. Steps are numbered on
  /// over the session's life. Rethrows the first rank's error; after one the session runs no more.
  virtual std::vector<StepTrace> run(int steps, bool trace) = 0;
  /// Copies a tensor of one rank, converted to double / from double. Between runs only. A tensor that lives only within
  /// the step holds whatever came to lie there; of a multi-buffered tensor, the last step's buffer is read and the next
  /// step's written.
  virtual std::vector<double> read(int rank, TensorId tensor) const = 0;
  virtual void write(int rank, TensorId tensor, std::span<const double> values) = 0;
  /// Changes the learning rate used by update ops from the next run on.
  virtual void set_learning_rate(double learning_rate) = 0;
  /// Bytes that were really allocated for the rank's tensors: MemoryPlan::arena_bytes.
  virtual std::int64_t arena_bytes(int rank) const = 0;
};

/// Plans with more ranks than the back end has devices, or ops that are not executable, are bad-input errors.
std::unique_ptr<EngineSession> open_session(const Backend& backend, StepPlan plan, const EngineOptions& options);

/// Parameters and states (running statistics) drawn by the law that the model gave each (Tensor::initial), the same on every rank: keyed by `seed` and
/// the tensor's name, so that neither buckets nor replicas matter.
void initialize_parameters(EngineSession& session, std::uint64_t seed);

}  // namespace dtbench
