#include "tests/property/step_replay.h"

#include <algorithm>
#include <functional>
#include <random>
#include <set>

#include "engine/plan/tensor_access.h"

namespace dtbench {

namespace {

constexpr std::int64_t kCell = 64;
using Value = std::uint64_t;

std::size_t index(int i) { return static_cast<std::size_t>(i); }

Value mix(Value a, Value b) { return (a ^ (b + 0x9e3779b97f4a7c15ull + (a << 6) + (a >> 2))) * 0xff51afd7ed558ccdull; }

// Memory of one rank; a cell's value stands for everything that went into it.
class CellMemory {
 public:
  explicit CellMemory(const RankClass& cls) : cls_(cls), places_(cls.tensors.size()) {
    for (const Allocation& place : cls.memory.allocations) places_[index(place.tensor)] = place;
    cells_.assign(static_cast<std::size_t>((cls.memory.arena_bytes + kCell - 1) / kCell), 0);
  }

  std::set<std::size_t> cells_of(const std::vector<TensorId>& tensors, int step) const {
    std::set<std::size_t> cells;
    for (const TensorId id : tensors) {
      const Tensor& tensor = cls_.tensors[index(id)];
      const Allocation& place = places_[index(owner_of(cls_.tensors, id))];
      const std::int64_t in_base = tensor.view ? tensor.view->first_element * bytes_of(tensor.dtype) : 0;
      const std::int64_t first = place.offset + (step % place.buffers) * place.bytes + in_base;
      for (std::int64_t byte = first / kCell * kCell; byte < first + tensor.bytes(); byte += kCell)
        cells.insert(static_cast<std::size_t>(byte / kCell));
    }
    return cells;
  }

  Value read(const std::set<std::size_t>& cells) const {
    Value value = 0;
    for (const std::size_t cell : cells) value = mix(value, cells_[cell]);
    return value;
  }

  bool holds(const std::set<std::size_t>& cells, Value value) const {
    return std::all_of(cells.begin(), cells.end(), [&](std::size_t cell) { return cells_[cell] == mix(value, cell); });
  }

  void write(const std::set<std::size_t>& cells, Value value) {
    for (const std::size_t cell : cells) cells_[cell] = mix(value, cell);
  }

 private:
  const RankClass& cls_;
  std::vector<Allocation> places_;
  std::vector<Value> cells_;
};

Value result_of(OpId op, int step, Value read) {
  return mix(mix(read, static_cast<Value>(op)), static_cast<Value>(step));
}

class RandomReplay {
 public:
  RandomReplay(const RankClass& cls, int steps, std::uint64_t seed)
      : cls_(cls), steps_(steps), random_(seed), memory_(cls), streams_(kStreams) {
    for (std::size_t op = 0; op < cls.ops.size(); ++op)
      streams_[static_cast<std::size_t>(cls.ops[op].stream)].ops.push_back(static_cast<OpId>(op));
    finished_steps_.assign(cls.ops.size(), 0);
    expect_program_order();
  }

  std::string run() {
    for (;;) {
      std::vector<std::function<std::string()>> moves;
      for (StreamState& stream : streams_) {
        if (stream.running)
          moves.push_back([&] { return finish(stream); });
        else if (can_start(stream))
          moves.push_back([&] { return start(stream); });
      }
      if (moves.empty()) break;
      if (std::string fault = moves[random_() % moves.size()](); !fault.empty()) return fault;
    }
    for (const int steps : finished_steps_)
      if (steps != steps_) return "the streams wait for each other";
    return "";
  }

 private:
  struct StreamState {
    std::vector<OpId> ops;
    std::size_t next = 0;  ///< counted over all steps
    bool running = false;
    Value only_read = 0;  ///< what the running operation reads and does not write, when it started
  };

  void expect_program_order() {
    CellMemory memory(cls_);
    for (int step = 0; step < steps_; ++step)
      for (std::size_t op = 0; op < cls_.ops.size(); ++op) {
        expected_.push_back(memory.read(memory.cells_of(cls_.ops[op].inputs, step)));
        memory.write(memory.cells_of(cls_.ops[op].outputs, step),
                     result_of(static_cast<OpId>(op), step, expected_.back()));
      }
  }

  OpId op_of(const StreamState& stream) const { return stream.ops[stream.next % stream.ops.size()]; }
  int step_of(const StreamState& stream) const { return static_cast<int>(stream.next / stream.ops.size()); }
  Value expected(OpId op, int step) const { return expected_[index(step) * cls_.ops.size() + index(op)]; }

  bool can_start(const StreamState& stream) const {
    if (stream.ops.empty() || step_of(stream) >= steps_) return false;
    for (const Dependency& dependency : cls_.ops[index(op_of(stream))].after)
      if (finished_steps_[index(dependency.op)] <= step_of(stream) - dependency.step_distance) return false;
    return true;
  }

  std::string start(StreamState& stream) {
    const PlanOp& op = cls_.ops[index(op_of(stream))];
    const int step = step_of(stream);
    if (memory_.read(memory_.cells_of(op.inputs, step)) != expected(op_of(stream), step))
      return fault(stream, "starts on wrong values");
    stream.only_read = memory_.read(cells_only_read(op, step));
    memory_.write(memory_.cells_of(op.outputs, step), half_done(op_of(stream), step));
    stream.running = true;
    return "";
  }

  std::string finish(StreamState& stream) {
    const OpId id = op_of(stream);
    const int step = step_of(stream);
    const PlanOp& op = cls_.ops[index(id)];
    const auto outputs = memory_.cells_of(op.outputs, step);
    if (!memory_.holds(outputs, half_done(id, step))) return fault(stream, "shares its outputs");
    if (memory_.read(cells_only_read(op, step)) != stream.only_read) return fault(stream, "has its inputs overwritten");
    memory_.write(outputs, result_of(id, step, expected(id, step)));
    ++finished_steps_[index(id)];
    ++stream.next;
    stream.running = false;
    return "";
  }

  std::set<std::size_t> cells_only_read(const PlanOp& op, int step) const {
    std::set<std::size_t> cells = memory_.cells_of(op.inputs, step);
    for (const std::size_t cell : memory_.cells_of(op.outputs, step)) cells.erase(cell);
    return cells;
  }

  std::string fault(const StreamState& stream, const std::string& what) const {
    return cls_.ops[index(op_of(stream))].name + " " + what + " in step " + std::to_string(step_of(stream));
  }

  static Value half_done(OpId op, int step) { return result_of(-1 - op, step, 1); }

  const RankClass& cls_;
  int steps_;
  std::mt19937_64 random_;
  CellMemory memory_;
  std::vector<StreamState> streams_;
  std::vector<int> finished_steps_;  ///< of each operation
  std::vector<Value> expected_;      ///< what each operation of each step reads in program order
};

}  // namespace

std::string replay(const RankClass& cls, int steps, std::uint64_t seed) { return RandomReplay(cls, steps, seed).run(); }

}  // namespace dtbench
