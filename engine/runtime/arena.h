// One rank's memory, laid out exactly as its MemoryPlan says.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "engine/plan/step_plan.h"
#include "engine/runtime/device.h"

namespace dtbench {

/// Where the tensors of a class lie from `base` on. A multi-buffered tensor has its buffers one after the other.
class Arena {
 public:
  Arena(const RankClass& rank_class, std::byte* base);

  /// Number of buffers that successive steps use in turn.
  int buffers(TensorId tensor) const { return places_[static_cast<std::size_t>(tensor)].buffers; }
  /// The tensor as step `step` sees it.
  Buffer buffer(TensorId tensor, std::int64_t step) const;
  /// Smallest number of steps after which an op with these tensors sees the same addresses again.
  int period(const std::vector<TensorId>& tensors) const;

 private:
  struct Place {
    std::int64_t offset = -1, stride = 0;
    int buffers = 1;
  };
  const RankClass& class_;
  std::byte* base_;
  std::vector<Place> places_;
};

/// Values of a tensor as doubles, and back, rounded to the type of the tensor.
std::vector<double> to_doubles(const Buffer& buffer);
void from_doubles(const Buffer& buffer, std::span<const double> values);

}  // namespace dtbench
