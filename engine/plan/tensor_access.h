// Which bytes of which owning tensor an operation reads and writes: what dependencies, liveness and checks are made of.
#pragma once

#include <vector>

#include "engine/plan/step_plan.h"

namespace dtbench {

struct TensorAccess {
  OpId op = 0;
  std::int64_t first_byte = 0, end_byte = 0;  ///< within the owning tensor
  bool write = false;
};

/// The tensor that owns the memory of `tensor`: itself, or the base of its view.
TensorId owner_of(const std::vector<Tensor>& tensors, TensorId tensor);

/// For each tensor that owns memory, its accesses through all views in list order; empty for views.
std::vector<std::vector<TensorAccess>> accesses_by_owner(const RankClass& cls);

/// Two operations must not run at once: their bytes meet and one writes.
bool conflict(const TensorAccess& a, const TensorAccess& b);

/// Copies of each tensor used in turn by successive steps: 2 for what a host transfer on the host stream brings, so
/// that it brings the next batch while this one is read; else 1.
std::vector<int> buffers_by_owner(const RankClass& cls);

}  // namespace dtbench
