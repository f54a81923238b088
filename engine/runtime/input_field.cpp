#include "engine/runtime/input_field.h"

#include <algorithm>

namespace dtbench {

std::span<float> reals_of(std::span<const InputField> fields, std::string_view name) {
  const auto field = std::ranges::find(fields, name, &InputField::name);
  return field == fields.end() ? std::span<float>() : field->reals;
}

std::span<std::int32_t> integers_of(std::span<const InputField> fields, std::string_view name) {
  const auto field = std::ranges::find(fields, name, &InputField::name);
  return field == fields.end() ? std::span<std::int32_t>() : field->integers;
}

}  // namespace dtbench
