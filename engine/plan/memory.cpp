#include "engine/plan/memory.h"

#include <algorithm>

#include "engine/plan/step_order.h"
#include "engine/plan/tensor_lifetime.h"
#include "topologies/base/error.h"

namespace dtbench {

namespace {

std::int64_t checked_add(std::int64_t a, std::int64_t b) {
  std::int64_t sum = 0;
  if (__builtin_add_overflow(a, b, &sum) || sum > std::int64_t{1} << 62)
    throw_bad_input({"memory of one rank", "more than 2^62 bytes", "a plan that fits in 62 bits",
                     "choose a smaller batch or model"});
  return sum;
}

std::int64_t align_up(std::int64_t value, std::int64_t unit) { return checked_add(value, unit - 1) / unit * unit; }

// The component of MemoryUse that counts tensors of this role; nullptr: activations.
std::int64_t MemoryUse::*component_of(TensorRole role) {
  switch (role) {
    case TensorRole::parameter:
    case TensorRole::state:
    case TensorRole::weight_copy:
      return &MemoryUse::weights;
    case TensorRole::gradient:
      return &MemoryUse::gradients;
    case TensorRole::optimizer_state:
      return &MemoryUse::optimizer;
    default:
      return nullptr;
  }
}

class ArenaLayout {
 public:
  ArenaLayout(RankClass& cls, std::int64_t alignment)
      : cls_(cls),
        alignment_(alignment),
        order_(cls.ops),
        lifetimes_(tensor_lifetimes(cls)),
        buffers_(buffers_by_owner(cls)) {}

  void run() {
    std::vector<TensorId> reusable;
    for (std::size_t t = 0; t < cls_.tensors.size(); ++t) {
      const auto id = static_cast<TensorId>(t);
      if (cls_.tensors[t].view) continue;
      if (lives_for_ever(id))
        append_for_ever(id);
      else
        reusable.push_back(id);
    }
    place_all(std::move(reusable));
    finish();
  }

 private:
  bool lives_for_ever(TensorId id) const {
    return cls_.tensors[static_cast<std::size_t>(id)].role != TensorRole::activation;
  }

  std::int64_t padded_bytes(TensorId id) const {
    return align_up(cls_.tensors[static_cast<std::size_t>(id)].bytes(), alignment_);
  }

  void append_for_ever(TensorId id) {
    const int buffers = buffers_[static_cast<std::size_t>(id)];
    const std::int64_t bytes = padded_bytes(id);
    placed_.push_back({id, end_, bytes, buffers});
    for (int i = 0; i < buffers; ++i) end_ = checked_add(end_, bytes);
    if (const auto component = component_of(cls_.tensors[static_cast<std::size_t>(id)].role))
      cls_.memory.use.*component += bytes * buffers;
  }

  // Best fit, largest first: each goes into the smallest gap between those that live at the same time.
  void place_all(std::vector<TensorId> tensors) {
    std::stable_sort(tensors.begin(), tensors.end(),
                     [&](TensorId a, TensorId b) { return padded_bytes(a) > padded_bytes(b); });
    const std::int64_t base = end_;
    std::vector<Allocation> by_offset;
    for (const TensorId id : tensors) {
      const Allocation place{id, best_gap(id, base, by_offset), padded_bytes(id), 1};
      const auto after = std::upper_bound(by_offset.begin(), by_offset.end(), place.offset,
                                          [](std::int64_t offset, const Allocation& a) { return offset < a.offset; });
      by_offset.insert(after, place);
      end_ = std::max(end_, checked_add(place.offset, place.bytes));
    }
    placed_.insert(placed_.end(), by_offset.begin(), by_offset.end());
  }

  std::int64_t best_gap(TensorId id, std::int64_t base, const std::vector<Allocation>& by_offset) const {
    const std::int64_t bytes = padded_bytes(id);
    std::int64_t best = -1, best_size = 0, gap_start = base;
    for (const Allocation& other : by_offset) {
      if (other.offset + other.bytes <= gap_start || may_share(other.tensor, id)) continue;
      const std::int64_t size = other.offset - gap_start;
      if (size >= bytes && (best < 0 || size < best_size)) {
        best = gap_start;
        best_size = size;
      }
      gap_start = other.offset + other.bytes;
    }
    return best >= 0 ? best : gap_start;
  }

  bool may_share(TensorId a, TensorId b) const {
    return never_live_together(lifetimes_[static_cast<std::size_t>(a)], lifetimes_[static_cast<std::size_t>(b)],
                               order_);
  }

  void finish() {
    std::sort(placed_.begin(), placed_.end(),
              [](const Allocation& a, const Allocation& b) { return a.tensor < b.tensor; });
    MemoryPlan& memory = cls_.memory;
    memory.allocations = std::move(placed_);
    memory.arena_bytes = end_;
    memory.use.activations = end_ - memory.use.weights - memory.use.gradients - memory.use.optimizer;
    memory.use.total = checked_add(end_, memory.use.workspace);
  }

  RankClass& cls_;
  std::int64_t alignment_;
  StepOrder order_;
  std::vector<TensorLifetime> lifetimes_;
  std::vector<int> buffers_;
  std::vector<Allocation> placed_;
  std::int64_t end_ = 0;
};

}  // namespace

void plan_memory(RankClass& cls, const BackendTraits& traits) {
  cls.memory = {};
  cls.memory.use.workspace = traits.workspace_bytes;
  ArenaLayout(cls, traits.alignment_bytes).run();
}

}  // namespace dtbench
