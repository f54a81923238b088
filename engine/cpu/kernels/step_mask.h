// The dropout mask of one operation: a key for each example, drawn anew in each step.
#pragma once

#include "engine/cpu/kernels/arrays.h"

namespace dtbench::cpu {

inline std::int64_t elements_of_example(const Buffer& buffer) {
  const std::int64_t batch = buffer.shape.at(0);
  return batch == 0 ? 1 : std::max<std::int64_t>(1, buffer.elements() / batch);
}

class StepMask {
 public:
  /// Of an op with attributes `rate` and `salt`; without them it keeps everything.
  StepMask(const KernelRequest& request, std::int64_t elements)
      : first_example_(request.first_example),
        elements_(elements),
        salt_(static_cast<std::uint64_t>(attribute(request, "salt", 0))),
        rate_(attribute(request, "rate", 0)),
        scalars_(request.scalars) {
    DTBENCH_CHECK(!drops() || scalars_ != nullptr);
  }

  bool drops() const { return rate_ > 0; }
  /// From an element of the whole tensor to the end of its example.
  DropoutMask at(std::int64_t element, std::int64_t step) const {
    return {dropout_key(scalars_->seed, step, first_example_ + element / elements_, salt_),
            static_cast<std::uint32_t>(element % elements_), dropout_threshold(rate_),
            static_cast<float>(1 / (1 - rate_))};
  }
  std::int64_t end_of_example(std::int64_t element) const { return (element / elements_ + 1) * elements_; }

 private:
  std::int64_t first_example_, elements_;
  std::uint64_t salt_;
  double rate_;
  const StepScalars* scalars_;
};

}  // namespace dtbench::cpu
