#include "engine/runtime/arena.h"

#include <numeric>

#include "engine/runtime/visit_dtype.h"
#include "topologies/base/error.h"

namespace dtbench {
namespace {

template <typename Value>
std::span<Value> values_of(const Buffer& buffer) {
  return {static_cast<Value*>(buffer.data), static_cast<std::size_t>(buffer.elements())};
}

// Calls `use` with the buffer's values in their own type.
template <typename Use>
void with_values(const Buffer& buffer, const Use& use) {
  visit_dtype<float, double, std::int32_t, Bfloat16, Float16>(buffer.dtype, "tensor", [&]<class T>(T) {
    use(values_of<T>(buffer));
    return true;
  });
}

}  // namespace

Arena::Arena(const RankClass& rank_class, std::byte* base)
    : class_(rank_class), base_(base), places_(rank_class.tensors.size()) {
  for (const Allocation& allocation : rank_class.memory.allocations)
    places_[static_cast<std::size_t>(allocation.tensor)] = {allocation.offset, allocation.bytes, allocation.buffers};
  for (std::size_t t = 0; t < places_.size(); ++t) {
    const Tensor& tensor = rank_class.tensors[t];
    if (!tensor.view) continue;
    places_[t] = places_[static_cast<std::size_t>(tensor.view->base)];
    places_[t].offset += tensor.view->first_element * bytes_of(tensor.dtype);
  }
}

Buffer Arena::buffer(TensorId tensor, std::int64_t step) const {
  const Place& place = places_[static_cast<std::size_t>(tensor)];
  const Tensor& description = class_.tensors[static_cast<std::size_t>(tensor)];
  DTBENCH_CHECK(place.offset >= 0);
  return {base_ + place.offset + (step % place.buffers) * place.stride, description.shape, description.dtype};
}

int Arena::period(const std::vector<TensorId>& tensors) const {
  int period = 1;
  for (const TensorId tensor : tensors) period = std::lcm(period, buffers(tensor));
  return period;
}

std::vector<double> to_doubles(const Buffer& buffer) {
  std::vector<double> result;
  with_values(buffer, [&](auto values) { result.assign(values.begin(), values.end()); });
  return result;
}

void from_doubles(const Buffer& buffer, std::span<const double> values) {
  DTBENCH_CHECK(static_cast<std::int64_t>(values.size()) == buffer.elements());
  with_values(buffer, [&](auto target) {
    using Value = typename decltype(target)::value_type;
    for (std::size_t i = 0; i < values.size(); ++i) target[i] = static_cast<Value>(values[i]);
  });
}

}  // namespace dtbench
