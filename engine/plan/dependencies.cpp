#include "engine/plan/dependencies.h"

#include <algorithm>

#include "engine/plan/step_order.h"
#include "engine/plan/tensor_access.h"

namespace dtbench {

namespace {

struct OwnedAccess {
  TensorId owner = kNoTensor;
  TensorAccess access;
};

enum class Reach { same_step, earlier_steps };

class DependencyBuilder {
 public:
  explicit DependencyBuilder(RankClass& cls)
      : cls_(cls),
        by_owner_(accesses_by_owner(cls)),
        by_op_(cls.ops.size()),
        buffers_(buffers_by_owner(cls)),
        order_(cls.ops) {
    for (std::size_t owner = 0; owner < by_owner_.size(); ++owner)
      for (const TensorAccess& access : by_owner_[owner])
        by_op_[static_cast<std::size_t>(access.op)].push_back({static_cast<TensorId>(owner), access});
  }

  void run() {
    for (std::size_t i = 0; i < by_op_.size(); ++i) {
      const auto op = static_cast<OpId>(i);
      order_.refresh(op);
      wait_for(op, Reach::same_step);
    }
    order_.refresh_all();
    for (std::size_t i = 0; i < by_op_.size(); ++i)
      if (wait_for(static_cast<OpId>(i), Reach::earlier_steps)) order_.refresh_all();
  }

 private:
  // What `op` must wait for, the latest first, so that it can make the others needless.
  std::vector<Dependency> conflicts_of(OpId op, Reach reach) const {
    std::vector<Dependency> conflicts;
    for (const auto& [owner, access] : by_op_[static_cast<std::size_t>(op)]) {
      const int distance = reach == Reach::same_step ? 0 : buffers_[static_cast<std::size_t>(owner)];
      for (const TensorAccess& other : by_owner_[static_cast<std::size_t>(owner)])
        if ((distance > 0 || other.op < op) && conflict(other, access)) conflicts.push_back({other.op, distance, 0});
    }
    std::stable_sort(conflicts.begin(), conflicts.end(), [](const Dependency& a, const Dependency& b) {
      return a.step_distance != b.step_distance ? a.step_distance < b.step_distance : a.op > b.op;
    });
    return conflicts;
  }

  bool wait_for(OpId op, Reach reach) {
    bool added = false;
    for (const Dependency& other : conflicts_of(op, reach)) {
      if (order_.finished_before(other.op, op, other.step_distance)) continue;
      cls_.ops[static_cast<std::size_t>(op)].after.push_back(other);
      order_.refresh(op);
      added = true;
    }
    return added;
  }

  RankClass& cls_;
  std::vector<std::vector<TensorAccess>> by_owner_;
  std::vector<std::vector<OwnedAccess>> by_op_;
  std::vector<int> buffers_;
  StepOrder order_;
};

}  // namespace

void derive_dependencies(RankClass& cls) { DependencyBuilder(cls).run(); }

}  // namespace dtbench
