#include "engine/plan/tensor_lifetime.h"

#include <algorithm>

namespace dtbench {

std::vector<TensorLifetime> tensor_lifetimes(const RankClass& cls) {
  std::vector<TensorLifetime> lifetimes(cls.tensors.size());
  const auto accesses = accesses_by_owner(cls);
  for (std::size_t t = 0; t < accesses.size(); ++t)
    for (const TensorAccess& access : accesses[t]) {
      if (lifetimes[t].first < 0) lifetimes[t].first = access.op;
      lifetimes[t].last[static_cast<std::size_t>(cls.ops[static_cast<std::size_t>(access.op)].stream)] = access.op;
    }
  return lifetimes;
}

bool is_over_before(const TensorLifetime& a, const TensorLifetime& b, const StepOrder& order) {
  const auto all_finished = [&](const TensorLifetime& uses, OpId op, int distance) {
    return std::all_of(uses.last.begin(), uses.last.end(),
                       [&](OpId last) { return last < 0 || order.finished_before(last, op, distance); });
  };
  if (a.first < 0 || b.first < 0) return false;
  return all_finished(a, b.first, 0) && all_finished(b, a.first, 1);
}

bool never_live_together(const TensorLifetime& a, const TensorLifetime& b, const StepOrder& order) {
  return is_over_before(a, b, order) || is_over_before(b, a, order);
}

}  // namespace dtbench
