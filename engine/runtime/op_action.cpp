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

class InputAction : public OpAction {
 public:
  InputAction(const Arena& arena, InputTensors tensors, int replica, const InputFill& fill)
      : features_(buffers_in_turn(arena, tensors.features)),
        labels_(buffers_in_turn(arena, tensors.labels)),
        replica_(replica),
        fill_(fill) {
    if (!features_.empty() && features_[0].dtype == DType::float64)
      staging_.resize(static_cast<std::size_t>(features_[0].elements()));
  }

  void run(std::int64_t step) override {
    if (!fill_) return;
    const auto labels = values_at<std::int32_t>(labels_, step);
    if (staging_.empty()) return fill_(replica_, step, values_at<float>(features_, step), labels);
    fill_(replica_, step, staging_, labels);
    std::copy(staging_.begin(), staging_.end(), values_at<double>(features_, step).begin());
  }

 private:
  std::vector<Buffer> features_, labels_;
  int replica_;
  const InputFill& fill_;
  std::vector<float> staging_;  // InputFill writes float32; used when the plan's type is float64
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

std::unique_ptr<OpAction> input_action(const Arena& arena, InputTensors tensors, int replica, const InputFill& fill) {
  return std::make_unique<InputAction>(arena, tensors, replica, fill);
}

std::unique_ptr<OpAction> predicated_action(std::unique_ptr<OpAction> inner, const Arena& arena, TensorId predicate) {
  return std::make_unique<PredicatedAction>(std::move(inner), arena, predicate);
}

}  // namespace dtbench
