#include "engine/plan/tensor.h"

#include <fmt/core.h>

#include "topologies/base/error.h"
#include "topologies/base/units.h"

namespace dtbench {

namespace {

// Far beyond any machine, and far enough below 2^63 that bytes and their sums over a few tensors cannot overflow.
constexpr std::int64_t kLargestTensor = std::int64_t{1} << 54;

}  // namespace

std::string_view name_of(DType dtype) {
  switch (dtype) {
    case DType::float32:
      return "float32";
    case DType::float64:
      return "float64";
    case DType::bfloat16:
      return "bfloat16";
    case DType::float16:
      return "float16";
    case DType::int32:
      return "int32";
  }
  DTBENCH_CHECK(false);
  return "";
}

std::int64_t bytes_of(DType dtype) {
  switch (dtype) {
    case DType::float32:
    case DType::int32:
      return 4;
    case DType::float64:
      return 8;
    case DType::bfloat16:
    case DType::float16:
      return 2;
  }
  DTBENCH_CHECK(false);
  return 0;
}

std::string_view name_of(TensorRole role) {
  switch (role) {
    case TensorRole::input:
      return "input";
    case TensorRole::label:
      return "label";
    case TensorRole::parameter:
      return "parameter";
    case TensorRole::activation:
      return "activation";
    case TensorRole::gradient:
      return "gradient";
    case TensorRole::optimizer_state:
      return "optimizer_state";
    case TensorRole::loss:
      return "loss";
    case TensorRole::state:
      return "state";
    case TensorRole::weight_copy:
      return "weight_copy";
  }
  DTBENCH_CHECK(false);
  return "";
}

std::int64_t element_count(const Shape& shape) {
  std::int64_t count = 1;
  for (const std::int64_t size : shape) count = checked_multiply(count, size, "tensor shape");
  if (count > kLargestTensor)
    throw_bad_input({"tensor shape", fmt::format("{} elements", count), fmt::format("at most {}", kLargestTensor),
                     "choose a smaller batch or model"});
  return count;
}

std::string text_of(const Shape& shape) {
  std::string text = "[";
  for (const std::int64_t size : shape) text += (text.size() > 1 ? "," : "") + std::to_string(size);
  return text + "]";
}

}  // namespace dtbench
