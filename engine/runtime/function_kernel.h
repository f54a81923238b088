// A kernel that is one function object: what a back end's factory returns for most operations. The function takes the
// number of the step, or nothing.
#pragma once

#include <memory>
#include <type_traits>
#include <utility>

#include "engine/runtime/device.h"

namespace dtbench {

template <class Function>
class FunctionKernel : public Kernel {
 public:
  explicit FunctionKernel(Function function) : function_(std::move(function)) {}
  void run(std::int64_t step) override {
    if constexpr (std::is_invocable_v<Function&, std::int64_t>)
      function_(step);
    else
      function_();
  }

 private:
  Function function_;
};

template <class Function>
std::unique_ptr<Kernel> make_kernel(Function function) {
  return std::make_unique<FunctionKernel<Function>>(std::move(function));
}

}  // namespace dtbench
