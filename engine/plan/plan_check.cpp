#include <fmt/core.h>

#include <algorithm>
#include <set>

#include "engine/collectives/algorithm.h"
#include "engine/plan/op_rule.h"
#include "engine/plan/step_order.h"
#include "engine/plan/step_plan.h"
#include "engine/plan/tensor_access.h"
#include "engine/plan/tensor_lifetime.h"

namespace dtbench {

namespace {

std::size_t index(int i) { return static_cast<std::size_t>(i); }

template <typename Rows, typename Name>
bool has_row(const Rows& rows, const std::string& wanted, Name name_of_row) {
  return std::any_of(rows.begin(), rows.end(), [&](const auto& row) { return name_of_row(row) == wanted; });
}

// Faults of the plan outside its classes: how ranks are numbered and grouped.
class PlanFrameCheck {
 public:
  explicit PlanFrameCheck(const StepPlan& plan) : plan_(plan) {}

  std::string run() const {
    if (plan_.ranks < 1 || plan_.nodes < 1 || plan_.replicas < 1) return "ranks, nodes and replicas must be at least 1";
    if (plan_.classes.empty()) return "no class of ranks";
    if (std::string fault = check_cover(); !fault.empty()) return fault;
    for (std::size_t i = 0; i < plan_.groups.size(); ++i)
      if (std::string fault = check_group(plan_.groups[i]); !fault.empty()) return fmt::format("group {} {}", i, fault);
    return "";
  }

 private:
  bool inside(const RankSet& set) const {
    if (set.count < 1 || set.first < 0 || set.stride < 1) return false;
    return set.first + (set.count - 1) * static_cast<std::int64_t>(set.stride) < plan_.ranks;
  }

  std::string check_cover() const {
    std::vector<bool> seen(index(plan_.ranks), false);
    std::int64_t covered = 0;
    for (const RankClass& cls : plan_.classes)
      for (const RankSet& set : cls.ranks) {
        if (!inside(set)) return fmt::format("class '{}' names ranks that do not exist", cls.name);
        for (int i = 0; i < set.count; ++i, ++covered) {
          const std::size_t rank = index(set.first + i * set.stride);
          if (seen[rank]) return fmt::format("rank {} is in two classes", rank);
          seen[rank] = true;
        }
      }
    return covered == plan_.ranks ? "" : fmt::format("{} of {} ranks are in a class", covered, plan_.ranks);
  }

  std::string check_group(const Group& group) const {
    RankSet last = group.members;
    const std::int64_t shift = static_cast<std::int64_t>(group.instances - 1) * group.instance_stride;
    if (group.instances < 1 || group.instance_stride < 0 || shift > plan_.ranks)
      return "has a wrong number of instances";
    last.first += static_cast<int>(shift);
    if (!inside(group.members) || !inside(last)) return "names ranks that do not exist";
    if (group.shape.ranks() != group.members.count) return "has a shape of another number of ranks";
    return "";
  }

  const StepPlan& plan_;
};

class ClassCheck {
 public:
  ClassCheck(const StepPlan& plan, const RankClass& cls) : plan_(plan), cls_(cls) {}

  std::string run() {
    for (std::size_t t = 0; t < cls_.tensors.size(); ++t)
      if (std::string fault = check_tensor(cls_.tensors[t]); !fault.empty())
        return fmt::format("tensor '{}' {}", cls_.tensors[t].name, fault);
    for (std::size_t i = 0; i < cls_.ops.size(); ++i)
      if (std::string fault = check_op(static_cast<OpId>(i)); !fault.empty())
        return fmt::format("operation '{}' {}", cls_.ops[i].name, fault);
    if (cls_.loss != kNoTensor && !is_tensor(cls_.loss)) return "the loss is no tensor";
    if (std::string fault = check_repeats(); !fault.empty()) return fault;
    if (std::string fault = check_allocations(); !fault.empty()) return fault;
    const StepOrder order(cls_.ops);
    if (std::string fault = check_hazards(order); !fault.empty()) return fault;
    return check_overlaps(order);
  }

 private:
  bool is_tensor(TensorId id) const { return id >= 0 && index(id) < cls_.tensors.size(); }
  const std::string& op_name(OpId op) const { return cls_.ops[index(op)].name; }
  const std::string& tensor_name(std::size_t tensor) const { return cls_.tensors[tensor].name; }

  std::string check_tensor(const Tensor& tensor) const {
    if (std::any_of(tensor.shape.begin(), tensor.shape.end(), [](std::int64_t size) { return size < 1; }))
      return "has an empty shape";
    if (!tensor.view) return "";
    if (!is_tensor(tensor.view->base)) return "is a view of no tensor";
    const Tensor& base = cls_.tensors[index(tensor.view->base)];
    if (base.view) return "is a view of a view";
    if (base.dtype != tensor.dtype) return "is a view of another type";
    const std::int64_t first = tensor.view->first_element;
    if (first < 0 || first > base.elements() - tensor.elements()) return "reaches beyond its base";
    return "";
  }

  std::string check_op(OpId id) {
    const PlanOp& op = cls_.ops[index(id)];
    if (!names_.insert(op.name).second) return "has the name of another operation";
    for (const auto* ids : {&op.inputs, &op.outputs})
      if (!std::all_of(ids->begin(), ids->end(), [&](TensorId t) { return is_tensor(t); })) return "uses no tensor";
    if (op.predicate != kNoTensor && !is_tensor(op.predicate)) return "has no tensor as predicate";
    if (!(op.flops >= 0 && op.bytes >= 0)) return "has a negative cost";
    if (op.type == OpType::compute && !has_row(op_rules(), op.kind, [](const OpRule& row) { return row.kind; }))
      return fmt::format("is of unknown kind '{}'", op.kind);
    if ((op.type == OpType::collective) != op.collective.has_value()) return "should say which collective it is";
    if (op.collective)
      if (std::string fault = check_collective(op); !fault.empty()) return fault;
    return check_dependencies(id);
  }

  std::string check_collective(const PlanOp& op) const {
    const CollectiveCall& call = *op.collective;
    if (call.group < 0 || index(call.group) >= plan_.groups.size()) return "names a group that does not exist";
    const auto row_name = [](const CollectiveAlgorithm& row) { return row.name; };
    if (!has_row(collective_algorithms(), call.algorithm, row_name))
      return fmt::format("uses unknown algorithm '{}'", call.algorithm);
    if (!collective_algorithm(call.algorithm).supports(call.kind, plan_.groups[index(call.group)].shape))
      return fmt::format("uses '{}', which cannot do this on this group", call.algorithm);
    if (!is_tensor(call.buffer) || op.inputs != std::vector{call.buffer} || op.outputs != op.inputs)
      return "should read and write its buffer";
    if (call.bytes != cls_.tensors[index(call.buffer)].bytes()) return "has other bytes than its buffer";
    return "";
  }

  // Same-step dependencies that point backwards in the list, as streams do, cannot form a cycle.
  std::string check_dependencies(OpId id) const {
    for (const Dependency& dependency : cls_.ops[index(id)].after) {
      if (dependency.op < 0 || index(dependency.op) >= cls_.ops.size()) return "waits for no operation";
      if (dependency.step_distance < 0 || dependency.micro_batch_distance < 0) return "waits for the future";
      const bool same = dependency.step_distance == 0 && dependency.micro_batch_distance == 0;
      if (same && dependency.op >= id)
        return fmt::format("waits for '{}', which does not stand before it", op_name(dependency.op));
    }
    return "";
  }

  std::string check_repeats() const {
    for (const Repeat& repeat : cls_.repeats)
      if (repeat.first < 0 || repeat.last < repeat.first || index(repeat.last) >= cls_.ops.size() || repeat.times < 1)
        return fmt::format("repeat of operations {}..{} is wrong", repeat.first, repeat.last);
    return "";
  }

  std::string check_allocations() {
    const MemoryPlan& memory = cls_.memory;
    places_.assign(cls_.tensors.size(), nullptr);
    for (const Allocation& place : memory.allocations) {
      if (!is_tensor(place.tensor) || cls_.tensors[index(place.tensor)].view) return "memory for no tensor";
      if (places_[index(place.tensor)])
        return fmt::format("tensor '{}' lies twice in memory", tensor_name(index(place.tensor)));
      places_[index(place.tensor)] = &place;
      if (place.offset < 0 || place.buffers < 1 || place.bytes < cls_.tensors[index(place.tensor)].bytes() ||
          place.offset > memory.arena_bytes - place.bytes * place.buffers)
        return fmt::format("tensor '{}' does not fit into its place", tensor_name(index(place.tensor)));
    }
    for (std::size_t t = 0; t < cls_.tensors.size(); ++t)
      if (!cls_.tensors[t].view && !places_[t]) return fmt::format("tensor '{}' has no memory", tensor_name(t));
    const MemoryUse& use = memory.use;
    if (use.weights + use.gradients + use.optimizer + use.activations != memory.arena_bytes ||
        use.total != memory.arena_bytes + use.workspace)
      return "the components of memory do not add up";
    return "";
  }

  std::string check_hazards(const StepOrder& order) const {
    const auto accesses = accesses_by_owner(cls_);
    for (std::size_t t = 0; t < accesses.size(); ++t) {
      for (std::size_t j = 0; j < accesses[t].size(); ++j)
        for (std::size_t i = 0; i < j; ++i)
          if (std::string fault = check_pair(accesses[t][i], accesses[t][j], places_[t]->buffers, order);
              !fault.empty())
            return fmt::format("tensor '{}': {}", tensor_name(t), fault);
      if (std::string fault = check_first_access(t, accesses[t]); !fault.empty()) return fault;
    }
    return "";
  }

  // `b` stands after `a` in the list; the next use of the same copy of the tensor is `buffers` steps later.
  std::string check_pair(const TensorAccess& a, const TensorAccess& b, int buffers, const StepOrder& order) const {
    if (a.op == b.op || !conflict(a, b)) return "";
    if (!order.finished_before(a.op, b.op, 0))
      return fmt::format("'{}' may run before '{}' has finished", op_name(b.op), op_name(a.op));
    if (!order.finished_before(b.op, a.op, buffers))
      return fmt::format("'{}' may run before '{}' of {} step(s) ago has finished", op_name(a.op), op_name(b.op),
                         buffers);
    return "";
  }

  std::string check_first_access(std::size_t tensor, const std::vector<TensorAccess>& accesses) const {
    const TensorRole role = cls_.tensors[tensor].role;
    const bool keeps_its_value = role == TensorRole::parameter ||
                                 role == TensorRole::optimizer_state || role == TensorRole::state;
    if (keeps_its_value || accesses.empty() || accesses.front().write) return "";
    return fmt::format("'{}' reads tensor '{}', which nobody has written", op_name(accesses.front().op),
                       tensor_name(tensor));
  }

  std::string check_overlaps(const StepOrder& order) const {
    const std::vector<TensorLifetime> lifetimes = tensor_lifetimes(cls_);
    std::vector<const Allocation*> sorted;
    for (const Allocation& place : cls_.memory.allocations) sorted.push_back(&place);
    std::sort(sorted.begin(), sorted.end(),
              [](const Allocation* a, const Allocation* b) { return a->offset < b->offset; });
    for (std::size_t i = 0; i < sorted.size(); ++i)
      for (std::size_t j = i + 1; j < sorted.size(); ++j) {
        const Allocation &a = *sorted[i], &b = *sorted[j];
        if (b.offset >= a.offset + a.bytes * a.buffers) break;
        const bool apart = a.buffers == 1 && b.buffers == 1 && is_temporary(a.tensor) && is_temporary(b.tensor) &&
                           never_live_together(lifetimes[index(a.tensor)], lifetimes[index(b.tensor)], order);
        if (!apart)
          return fmt::format("tensors '{}' and '{}' live at once in the same memory", tensor_name(index(a.tensor)),
                             tensor_name(index(b.tensor)));
      }
    return "";
  }

  // Everything else keeps its value from step to step, or is read by somebody outside the plan.
  bool is_temporary(TensorId tensor) const { return cls_.tensors[index(tensor)].role == TensorRole::activation; }

  const StepPlan& plan_;
  const RankClass& cls_;
  std::set<std::string> names_;
  std::vector<const Allocation*> places_;
};

}  // namespace

std::string check_plan(const StepPlan& plan) {
  if (std::string fault = PlanFrameCheck(plan).run(); !fault.empty()) return fault;
  for (const RankClass& cls : plan.classes)
    if (std::string fault = ClassCheck(plan, cls).run(); !fault.empty())
      return fmt::format("class '{}': {}", cls.name, fault);
  return "";
}

}  // namespace dtbench
