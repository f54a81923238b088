#include "engine/runtime/op_action.h"

#include <fmt/format.h>

#include <algorithm>

namespace dtbench {
namespace {

std::vector<Buffer> buffers_of(const Arena& arena, const std::vector<TensorId>& tensors, std::int64_t step) {
  std::vector<Buffer> buffers;
  for (const TensorId tensor : tensors) buffers.push_back(arena.buffer(tensor, step));
  return buffers;
}

std::vector<TensorId> tensors_of(const PlanOp& op) {
  std::vector<TensorId> tensors = op.inputs;
  tensors.insert(tensors.end(), op.outputs.begin(), op.outputs.end());
  return tensors;
}

class KernelAction : public OpAction {
 public:
  KernelAction(Device& device, const Arena& arena, const PlanOp& op, const StepScalars& scalars,
               std::int64_t first_example) {
    const int variants = arena.period(tensors_of(op));
    for (int v = 0; v < variants; ++v)
      variants_.push_back(
          device.prepare({op, buffers_of(arena, op.inputs, v), buffers_of(arena, op.outputs, v), &scalars,
                          first_example}));
  }
  void run(std::int64_t step) override { variants_[static_cast<std::size_t>(step) % variants_.size()]->run(step); }

 private:
  std::vector<std::unique_ptr<Kernel>> variants_;
};

class CollectiveAction : public OpAction {
 public:
  CollectiveAction(std::string name, CollectiveSeat seat) : name_(std::move(name)), seat_(std::move(seat)) {}

  void run(std::int64_t step) override {
    try {
      seat_.variants[static_cast<std::size_t>(step) % seat_.variants.size()]->run(seat_.member);
    } catch (const MembersMissing& missing) {
      throw_missing_ranks(missing);
    }
  }

 private:
  [[noreturn]] void throw_missing_ranks(const MembersMissing& missing) const {
    std::vector<int> ranks;
    std::string doing;
    for (const int member : missing.members()) {
      const int rank = seat_.ranks[static_cast<std::size_t>(member)];
      ranks.push_back(rank);
      if (!seat_.whereabouts) continue;
      doing += fmt::format("{}rank {} is {}", doing.empty() ? "" : "; ", rank, seat_.whereabouts(rank));
    }
    throw Error(ExitCode::run_failed,
                {fmt::format("op '{}'", name_), fmt::format("rank {} missing", number_list(ranks)),
                 fmt::format("every rank of the group within {} s", missing.waited_seconds()), doing});
  }

  std::string name_;
  CollectiveSeat seat_;
};

// A tensor's buffers, one after the other as steps use them; no buffers for kNoTensor.
std::vector<Buffer> buffers_in_turn(const Arena& arena, TensorId tensor) {
  std::vector<Buffer> buffers;
  if (tensor == kNoTensor) return buffers;
  for (int b = 0; b < arena.buffers(tensor); ++b) buffers.push_back(arena.buffer(tensor, b));
  return buffers;
}

template <typename Value>
std::span<Value> values_at(const std::vector<Buffer>& buffers, std::int64_t step) {
  if (buffers.empty()) return {};
  const Buffer& buffer = buffers[static_cast<std::size_t>(step) % buffers.size()];
  return {static_cast<Value*>(buffer.data), static_cast<std::size_t>(buffer.elements())};
}

// Shows the step's buffers to the fill, which writes float32; a float64 plan gets a copy.
class InputAction : public OpAction {
 public:
  InputAction(const Arena& arena, const RankClass& rank_class, const PlanOp& op, int replica, const InputFill& fill)
      : replica_(replica), fill_(fill) {
    check_inputs(rank_class, op);
    for (const TensorId output : op.outputs) {
      Target& target = targets_.emplace_back();
      target.buffers = buffers_in_turn(arena, output);
      if (target.buffers[0].dtype == DType::float64)
        target.staging.resize(static_cast<std::size_t>(target.buffers[0].elements()));
      fields_.push_back({rank_class.tensors[static_cast<std::size_t>(output)].name, {}, {}});
    }
  }

  void run(std::int64_t step) override {
    if (!fill_) return;
    for (std::size_t i = 0; i < targets_.size(); ++i) {
      const Target& target = targets_[i];
      if (target.buffers[0].dtype == DType::int32)
        fields_[i].integers = values_at<std::int32_t>(target.buffers, step);
      else if (target.staging.empty())
        fields_[i].reals = values_at<float>(target.buffers, step);
      else
        fields_[i].reals = targets_[i].staging;
    }
    fill_(replica_, step, fields_);
    for (const Target& target : targets_)
      if (!target.staging.empty())
        std::copy(target.staging.begin(), target.staging.end(), values_at<double>(target.buffers, step).begin());
  }

 private:
  struct Target {
    std::vector<Buffer> buffers;
    std::vector<float> staging;
  };
  std::vector<Target> targets_;
  std::vector<InputField> fields_;
  int replica_;
  const InputFill& fill_;
};

class PredicatedAction : public OpAction {
 public:
  PredicatedAction(std::unique_ptr<OpAction> inner, const Arena& arena, TensorId predicate)
      : inner_(std::move(inner)), predicate_(buffers_in_turn(arena, predicate)) {}
  void run(std::int64_t step) override {
    if (holds(step)) inner_->run(step);
  }

 private:
  bool holds(std::int64_t step) const {
    switch (predicate_[0].dtype) {
      case DType::float32:
        return values_at<float>(predicate_, step)[0] != 0;
      case DType::float64:
        return values_at<double>(predicate_, step)[0] != 0;
      default:
        return values_at<std::int32_t>(predicate_, step)[0] != 0;
    }
  }

  std::unique_ptr<OpAction> inner_;
  std::vector<Buffer> predicate_;
};

}  // namespace

std::unique_ptr<OpAction> kernel_action(Device& device, const Arena& arena, const PlanOp& op,
                                        const StepScalars& scalars, std::int64_t first_example) {
  return std::make_unique<KernelAction>(device, arena, op, scalars, first_example);
}

std::unique_ptr<OpAction> collective_action(const PlanOp& op, CollectiveSeat seat) {
  return std::make_unique<CollectiveAction>(op.name, std::move(seat));
}

std::unique_ptr<OpAction> input_action(const Arena& arena, const RankClass& rank_class, const PlanOp& op, int replica,
                                       const InputFill& fill) {
  return std::make_unique<InputAction>(arena, rank_class, op, replica, fill);
}

std::unique_ptr<OpAction> predicated_action(std::unique_ptr<OpAction> inner, const Arena& arena, TensorId predicate) {
  return std::make_unique<PredicatedAction>(std::move(inner), arena, predicate);
}

}  // namespace dtbench
