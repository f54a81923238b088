// What a step is fed with, tensor by tensor.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>

namespace dtbench {

/// One input tensor of one replica's batch, [batch per replica, ...]. Names: engine/plan/models/input_names.h.
struct InputField {
  std::string_view name;
  std::span<float> reals;            ///< of a float tensor
  std::span<std::int32_t> integers;  ///< of an int32 tensor
};

/// Writes one replica's batch of step `step` into its input tensors; called on the replica's thread by the "input" op.
using InputFill = std::function<void(int replica, std::int64_t step, std::span<InputField> fields)>;

/// The values of the field called `name`; empty when there is none.
std::span<float> reals_of(std::span<const InputField> fields, std::string_view name);
std::span<std::int32_t> integers_of(std::span<const InputField> fields, std::string_view name);

/// The part of a batch's values that belongs to one of its examples.
template <typename Value>
std::span<Value> part_of_example(std::span<Value> values, std::int64_t example, std::int64_t batch) {
  const std::size_t width = values.size() / static_cast<std::size_t>(batch);
  return values.subspan(static_cast<std::size_t>(example) * width, width);
}

}  // namespace dtbench
