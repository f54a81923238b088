// From the storage type of a buffer, known when a kernel is prepared, to a C++ type:
//
//   return visit_dtype<float, Bfloat16, Float16>(request.outputs[0].dtype, request.op.name, [&]<class T>(T) {
//     return make_kernel([x = data_of<const T>(request.inputs[0], request.op.name), ...] { ... });
//   });
#pragma once

#include <string>
#include <string_view>
#include <type_traits>

#include "engine/runtime/device.h"
#include "engine/runtime/low_precision.h"
#include "topologies/base/error.h"

namespace dtbench {

template <class T>
inline constexpr DType dtype_of = DType::float32;
template <>
inline constexpr DType dtype_of<double> = DType::float64;
template <>
inline constexpr DType dtype_of<Bfloat16> = DType::bfloat16;
template <>
inline constexpr DType dtype_of<Float16> = DType::float16;
template <>
inline constexpr DType dtype_of<std::int32_t> = DType::int32;

/// "float32, bfloat16 or float16" for messages.
template <class... Types>
std::string names_of_dtypes() {
  const std::string_view names[] = {name_of(dtype_of<Types>)...};
  std::string text;
  for (std::size_t i = 0; i < sizeof...(Types); ++i)
    text += std::string(i == 0 ? "" : i + 1 == sizeof...(Types) ? " or " : ", ") + std::string(names[i]);
  return text;
}

/// Calls `use` with a value of the one of `Types` that is stored as `dtype`, and returns what it returns; a bad-input
/// error that names `where` (the operation) when it is none of them.
template <class First, class... Rest, class Use>
auto visit_dtype(DType dtype, std::string_view where, const Use& use) {
  using Result = decltype(use(First{}));
  Result result{};
  const auto try_type = [&]<class T>(T value) {
    if (dtype != dtype_of<T>) return false;
    result = use(value);
    return true;
  };
  if (!(try_type(First{}) || ... || try_type(Rest{})))
    throw_bad_input({std::string(where), std::string(name_of(dtype)), names_of_dtypes<First, Rest...>(), ""});
  return result;
}

/// The buffer's elements; a bad-input error that names `where` when they are stored as another type.
template <class T>
T* data_of(const Buffer& buffer, std::string_view where) {
  using Stored = std::remove_const_t<T>;
  if (buffer.dtype != dtype_of<Stored>)
    throw_bad_input({std::string(where), std::string(name_of(buffer.dtype)), names_of_dtypes<Stored>(), ""});
  return static_cast<T*>(buffer.data);
}

}  // namespace dtbench
