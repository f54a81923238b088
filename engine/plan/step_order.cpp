#include "engine/plan/step_order.h"

#include <algorithm>

namespace dtbench {

namespace {

constexpr long long kNothing = -(1LL << 60);

std::size_t index(int i) { return static_cast<std::size_t>(i); }

}  // namespace

StepOrder::StepOrder(const std::vector<PlanOp>& ops)
    : ops_(ops), previous_(ops.size()), previous_is_older_(ops.size(), false) {
  std::array<OpId, kStreams> last;
  last.fill(-1);
  for (const PlanOp& op : ops) streams_.push_back(static_cast<std::size_t>(op.stream));
  for (std::size_t op = 0; op < ops.size(); ++op) {
    OpId& before = last[streams_[op]];
    previous_[op] = before;
    before = static_cast<OpId>(op);
  }
  for (std::size_t op = 0; op < ops.size(); ++op)
    if (previous_[op] < 0) {
      previous_[op] = last[streams_[op]];
      previous_is_older_[op] = true;
    }
  refresh_all();
}

bool StepOrder::finished_before(OpId a, OpId b, int distance) const {
  const long long position = a - static_cast<long long>(distance) * static_cast<long long>(ops_.size());
  return position <= known_[index(b)][streams_[index(a)]];
}

void StepOrder::include(Finished& known, OpId op, int distance) const {
  const long long shift = static_cast<long long>(distance) * static_cast<long long>(ops_.size());
  for (std::size_t stream = 0; stream < kStreams; ++stream)
    known[stream] = std::max(known[stream], known_[index(op)][stream] - shift);
  long long& own = known[streams_[index(op)]];
  own = std::max(own, op - shift);
}

bool StepOrder::learn(OpId op) {
  Finished known = known_[index(op)];
  include(known, previous_[index(op)], previous_is_older_[index(op)] ? 1 : 0);
  for (const Dependency& dependency : ops_[index(op)].after)
    if (dependency.micro_batch_distance == 0) include(known, dependency.op, dependency.step_distance);
  const bool more = known != known_[index(op)];
  known_[index(op)] = known;
  return more;
}

void StepOrder::refresh(OpId op) { learn(op); }

void StepOrder::refresh_all() {
  Finished nothing;
  nothing.fill(kNothing);
  known_.assign(ops_.size(), nothing);
  for (bool more = true; more;) {
    more = false;
    for (std::size_t op = 0; op < ops_.size(); ++op)
      if (learn(static_cast<OpId>(op))) more = true;
  }
}

}  // namespace dtbench
