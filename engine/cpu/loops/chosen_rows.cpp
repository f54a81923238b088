#include "engine/cpu/loops/isa_loops.h"
#include "engine/cpu/loops/row_sums.h"

namespace dtbench::DTBENCH_ISA {

template <class T>
void ChosenRows<T>::sum(const T* __restrict rows, const std::int32_t* chosen, std::int64_t count, T* __restrict out,
                        std::int64_t columns) {
  for (std::int64_t first = 0; first < columns; first += kLanes) {
    const std::int64_t width = columns - first < kLanes ? columns - first : kLanes;
    Lanes sums;
    for (std::int64_t i = 0; i < count; ++i) {
      const T* __restrict row = rows + chosen[i] * columns + first;
      if (width == kLanes)
        for (std::int64_t j = 0; j < kLanes; ++j) sums.value[j] += row[j];
      else
        for (std::int64_t j = 0; j < width; ++j) sums.value[j] += row[j];
    }
    for (std::int64_t j = 0; j < width; ++j) out[first + j] = sums.value[j];
  }
}

template struct ChosenRows<float>;
template struct ChosenRows<Bfloat16>;
template struct ChosenRows<Float16>;

}  // namespace dtbench::DTBENCH_ISA
