// Operands stored in 16 bits as floats, for work that this machine does in float32 only. It costs a pass over the operand
// and makes nothing faster: the numbers are those of 16-bit storage, the time is not.
#pragma once

#include <vector>

#include "engine/cpu/core_team.h"
#include "engine/cpu/kernels/arrays.h"

namespace dtbench::cpu {

class FloatCopy {
 public:
  explicit FloatCopy(std::int64_t count) : values_(static_cast<std::size_t>(count)) {}
  float* data() { return values_.data(); }

  template <class T>
  void load(const T* from, const CoreTeam& team) {
    team.split(count(), kGrain, [&](const Piece& piece) {
      loops().of<T>().to_float(from + piece.first, values_.data() + piece.first, piece.last - piece.first);
    });
  }
  template <class T>
  void store(T* to, const CoreTeam& team) const {
    team.split(count(), kGrain, [&](const Piece& piece) {
      loops().of<T>().from_float(values_.data() + piece.first, to + piece.first, piece.last - piece.first);
    });
  }

 private:
  std::int64_t count() const { return static_cast<std::int64_t>(values_.size()); }
  std::vector<float> values_;
};

}  // namespace dtbench::cpu
