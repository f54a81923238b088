#include "engine/plan/dependencies.h"

#include "engine/plan/step_order.h"
#include "engine/plan/tensor_access.h"

namespace dtbench {

namespace {

using AccessLists = std::vector<std::vector<TensorAccess>>;

struct OwnedAccess {
  TensorId owner = kNoTensor;
  TensorAccess access;
};

std::vector<std::vector<OwnedAccess>> accesses_by_op(const AccessLists& by_owner, std::size_t ops) {
  std::vector<std::vector<OwnedAccess>> by_op(ops);
  for (std::size_t owner = 0; owner < by_owner.size(); ++owner)
    for (const TensorAccess& access : by_owner[owner])
      by_op[static_cast<std::size_t>(access.op)].push_back({static_cast<TensorId>(owner), access});
  return by_op;
}

// The latest first, so that it can make the others needless. Returns whether anything was added.
bool wait_for_conflicts(RankClass& cls, const std::vector<TensorAccess>& others, const TensorAccess& access,
                        int distance, StepOrder& order) {
  bool added = false;
  for (auto other = others.rbegin(); other != others.rend(); ++other) {
    if (distance == 0 && other->op >= access.op) continue;
    if (!conflict(*other, access) || order.finished_before(other->op, access.op, distance)) continue;
    cls.ops[static_cast<std::size_t>(access.op)].after.push_back({other->op, distance, 0});
    order.refresh(access.op);
    added = true;
  }
  return added;
}

}  // namespace

void derive_dependencies(RankClass& cls) {
  const AccessLists by_owner = accesses_by_owner(cls);
  const auto by_op = accesses_by_op(by_owner, cls.ops.size());
  StepOrder order(cls.ops);
  for (std::size_t op = 0; op < by_op.size(); ++op) {
    order.refresh(static_cast<OpId>(op));
    for (const OwnedAccess& a : by_op[op])
      wait_for_conflicts(cls, by_owner[static_cast<std::size_t>(a.owner)], a.access, 0, order);
  }
  order.refresh_all();
  for (const auto& accesses : by_op)
    for (const OwnedAccess& a : accesses)
      if (wait_for_conflicts(cls, by_owner[static_cast<std::size_t>(a.owner)], a.access, buffers_of(cls, a.owner),
                             order))
        order.refresh_all();
}

}  // namespace dtbench
