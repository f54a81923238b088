#include "sim/model/step_walk.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "topologies/base/error.h"

namespace dtbench {

namespace {

constexpr double kNotBegun = -1;
/// Relative difference of two times of a step that counts as none; far above rounding, far below any effect.
constexpr double kAlike = 1e-9;

/// The repeat that holds an op, or a repeat of that op alone, once.
Repeat repeat_around(const RankClass& cls, int op) {
  for (const Repeat& repeat : cls.repeats)
    if (repeat.first <= op && op <= repeat.last) return repeat;
  return {op, op, 1};
}

/// The class of each rank.
std::vector<int> owners(const StepPlan& plan) {
  std::vector<int> owner(static_cast<std::size_t>(plan.ranks), -1);
  for (std::size_t c = 0; c < plan.classes.size(); ++c)
    for (const RankSet& set : plan.classes[c].ranks)
      for (int i = 0; i < set.count; ++i) owner.at(static_cast<std::size_t>(set.first + i * set.stride)) = int(c);
  return owner;
}

std::vector<OpId> collectives_on(const RankClass& cls, int group) {
  std::vector<OpId> found;
  for (std::size_t op = 0; op < cls.ops.size(); ++op)
    if (cls.ops[op].collective && cls.ops[op].collective->group == group) found.push_back(int(op));
  return found;
}

int root_of(std::vector<int>& parent, int node) {
  while (parent[node] != node) node = parent[node] = parent[parent[node]];
  return node;
}

/// Sets of classes of which two each share an instance of the group, directly or through others.
std::vector<std::vector<int>> connected_classes(const StepPlan& plan, int group, const std::vector<int>& users) {
  if (users.size() == 1) return {users};
  const std::vector<int> owner = owners(plan);
  std::vector<int> parent(plan.classes.size());
  std::iota(parent.begin(), parent.end(), 0);
  const Group& g = plan.groups[group];
  for (int instance = 0; instance < g.instances; ++instance) {
    const int first = g.members.first + instance * g.instance_stride;
    for (int m = 1; m < g.members.count; ++m)
      parent[root_of(parent, owner.at(first + m * g.members.stride))] = root_of(parent, owner.at(first));
  }
  std::vector<std::vector<int>> sets;
  for (const int root : users) {
    std::vector<int> set;
    for (const int c : users)
      if (root_of(parent, c) == root_of(parent, root)) set.push_back(c);
    if (set.front() == root) sets.push_back(std::move(set));
  }
  return sets;
}

}  // namespace

WalkProgram::WalkProgram(const StepPlan& plan) : plan_(&plan) {
  for (const RankClass& cls : plan.classes) {
    classes_.push_back(unroll(cls));
    for (const Wait& wait : classes_.back().waits)
      deepest_step_distance_ = std::max(deepest_step_distance_, wait.step_distance);
  }
  for (std::size_t group = 0; group < plan.groups.size(); ++group) find_meetings(int(group));
}

WalkProgram::ClassProgram WalkProgram::unroll(const RankClass& cls) {
  ClassProgram program;
  std::vector<std::vector<int>> instance_of(cls.ops.size());  // [op][iteration]
  for (int op = 0; op < int(cls.ops.size());) {
    const Repeat repeat = repeat_around(cls, op);
    for (int iteration = 0; iteration < repeat.times; ++iteration)
      for (int inner = repeat.first; inner <= repeat.last; ++inner) {
        instance_of[inner].push_back(int(program.instances.size()));
        program.instances.push_back({inner, cls.ops[inner].stream, 0, 0, -1});
      }
    op = repeat.last + 1;
  }
  std::vector<int> iterations_seen(cls.ops.size(), 0);
  for (std::size_t i = 0; i < program.instances.size(); ++i) {
    Instance& instance = program.instances[i];
    const int iteration = iterations_seen[instance.op]++;
    const Repeat around = repeat_around(cls, instance.op);
    instance.first_wait = int(program.waits.size());
    for (const Dependency& dependency : cls.ops[instance.op].after) {
      const bool inside = around.first <= dependency.op && dependency.op <= around.last;
      const bool same_step = dependency.step_distance == 0;
      const int last = int(instance_of[dependency.op].size()) - 1;
      const int wanted = (inside && same_step ? iteration : last) - dependency.micro_batch_distance;
      if (wanted >= 0) program.waits.push_back({instance_of[dependency.op][wanted], dependency.step_distance});
    }
    instance.wait_count = int(program.waits.size()) - instance.first_wait;
    program.order[static_cast<int>(instance.stream)].push_back(int(i));
  }
  return program;
}

void WalkProgram::find_meetings(int group) {
  std::vector<int> users;
  std::vector<std::vector<OpId>> ops(plan_->classes.size());
  for (std::size_t c = 0; c < plan_->classes.size(); ++c) {
    ops[c] = collectives_on(plan_->classes[c], group);
    if (!ops[c].empty()) users.push_back(int(c));
  }
  if (users.empty()) return;
  for (const std::vector<int>& set : connected_classes(*plan_, group, users))
    for (std::size_t nth = 0; nth < ops[set.front()].size(); ++nth) {
      const OpId op_id = ops[set.front()][nth];
      for (const int c : set) {
        DTBENCH_CHECK(ops[c].size() == ops[set.front()].size());
        for (Instance& instance : classes_[c].instances)
          if (instance.op == ops[c][nth]) instance.meeting = int(meetings_.size());
      }
      meetings_.push_back({set, &plan_->classes[set.front()].ops[op_id], op_id});
    }
}

StepWalk::StepWalk(const WalkProgram& program, const WalkTimes& times, WalkClock& clock)
    : program_(program), times_(times), clock_(clock), arrived_(program.meetings_.size(), 0) {
  for (const WalkProgram::ClassProgram& cls : program.classes_) {
    classes_.emplace_back().finished_steps.assign(cls.instances.size(), 0);
    instances_ += int(cls.instances.size());
  }
  for (StepRecord& record : records_) {
    for (const RankClass& cls : program.plan().classes) {
      std::vector<OpSpan>& spans = record.spans.emplace_back(cls.ops.size());
      for (std::size_t op = 0; op < spans.size(); ++op) spans[op].op = int(op);
    }
    reset(record);
  }
}

void StepWalk::reset(StepRecord& record) const {
  record.open_instances = instances_;
  for (std::vector<OpSpan>& spans : record.spans)
    for (OpSpan& span : spans) span.start_seconds = kNotBegun;
}

void StepWalk::start() {
  DTBENCH_CHECK(instances_ > 0);
  for (std::size_t c = 0; c < classes_.size(); ++c) advance(int(c));
}

void StepWalk::advance(int rank_class) {
  for (int stream = 0; stream < kStreams; ++stream) advance_stream(rank_class, static_cast<Stream>(stream));
}

void StepWalk::advance_stream(int rank_class, Stream stream) {
  const std::vector<int>& order = program_.classes_[rank_class].order[static_cast<int>(stream)];
  StreamState& state = classes_[rank_class].streams[static_cast<int>(stream)];
  if (finished_ || state.busy || order.empty() || state.step >= complete_steps_ + kWindow - 1) return;
  const int instance = order[state.position];
  if (!may_start(rank_class, instance, state.step)) return;
  state.busy = true;
  if (pays_overhead(rank_class, stream))
    return clock_.after(times_.step_overhead_seconds, [this, rank_class] {
      classes_[rank_class].streams[static_cast<int>(Stream::compute)].busy = false;
      advance_stream(rank_class, Stream::compute);
    });
  begin(rank_class, instance, state.step);
}

bool StepWalk::may_start(int rank_class, int instance, int step) const {
  const WalkProgram::ClassProgram& program = program_.classes_[rank_class];
  const WalkProgram::Instance& wanted = program.instances[instance];
  for (int w = wanted.first_wait; w < wanted.first_wait + wanted.wait_count; ++w) {
    const WalkProgram::Wait& wait = program.waits[w];
    if (classes_[rank_class].finished_steps[wait.instance] < step - wait.step_distance + 1) return false;
  }
  return true;
}

bool StepWalk::pays_overhead(int rank_class, Stream stream) {
  ClassState& state = classes_[rank_class];
  const StreamState& compute = state.streams[static_cast<int>(Stream::compute)];
  if (stream != Stream::compute || times_.step_overhead_seconds <= 0 || state.overhead_paid > compute.step)
    return false;
  state.overhead_paid = compute.step + 1;
  return true;
}

void StepWalk::begin(int rank_class, int instance, int step) {
  const WalkProgram::Instance& begun = program_.classes_[rank_class].instances[instance];
  OpSpan& span = record(step).spans[rank_class][begun.op];
  if (span.start_seconds == kNotBegun) span.start_seconds = clock_.now();
  const Stream stream = begun.stream;
  if (begun.meeting >= 0) return join_meeting(begun.meeting);
  if (stream == Stream::compute) return begin_compute(rank_class, instance);
  clock_.after(times_.op_seconds[rank_class][begun.op], [this, rank_class, stream] { end(rank_class, stream); });
}

void StepWalk::begin_compute(int rank_class, int instance) {
  RunningCompute& compute = classes_[rank_class].compute;
  compute.instance = instance;
  compute.remaining = times_.op_seconds[rank_class][program_.classes_[rank_class].instances[instance].op];
  compute.since = clock_.now();
  continue_compute(rank_class);
}

/// Asks to be called when the running compute op would end if nothing changed from now on.
void StepWalk::continue_compute(int rank_class) {
  ClassState& state = classes_[rank_class];
  const double speed = state.running_collectives > 0 ? 1 - times_.overlap_slowdown : 1;
  const std::uint32_t generation = ++state.compute.generation;
  if (speed <= 0) return;  // stands until the collective ends
  clock_.after(state.compute.remaining / speed, [this, rank_class, generation] {
    if (classes_[rank_class].compute.generation == generation) end(rank_class, Stream::compute);
  });
}

void StepWalk::change_collectives(int rank_class, int by) {
  ClassState& state = classes_[rank_class];
  const bool was_slow = state.running_collectives > 0;
  state.running_collectives += by;
  const bool is_slow = state.running_collectives > 0;
  if (was_slow == is_slow || times_.overlap_slowdown == 0 || state.compute.instance < 0) return;
  const double speed = was_slow ? 1 - times_.overlap_slowdown : 1;
  state.compute.remaining = std::max(0.0, state.compute.remaining - (clock_.now() - state.compute.since) * speed);
  state.compute.since = clock_.now();
  continue_compute(rank_class);
}

void StepWalk::join_meeting(int meeting) {
  const WalkProgram::Meeting& met = program_.meetings_[meeting];
  if (++arrived_[meeting] < int(met.classes.size())) return;
  arrived_[meeting] = 0;
  for (const int c : met.classes) change_collectives(c, +1);
  clock_.start_collective({met.op, met.op_id, &met.classes}, [this, meeting] { leave_meeting(meeting); });
}

void StepWalk::leave_meeting(int meeting) {
  const WalkProgram::Meeting& met = program_.meetings_[meeting];
  for (const int c : met.classes) change_collectives(c, -1);
  for (const int c : met.classes) end(c, met.op->stream);
}

void StepWalk::end(int rank_class, Stream stream) {
  ClassState& state = classes_[rank_class];
  StreamState& lane = state.streams[static_cast<int>(stream)];
  const WalkProgram::ClassProgram& program = program_.classes_[rank_class];
  const std::vector<int>& order = program.order[static_cast<int>(stream)];
  const int instance = order[lane.position], step = lane.step;
  if (stream == Stream::compute) state.compute.instance = -1;
  record(step).spans[rank_class][program.instances[instance].op].end_seconds = clock_.now();
  state.finished_steps[instance] = step + 1;
  lane.busy = false;
  if (++lane.position == int(order.size())) {
    lane.position = 0;
    ++lane.step;
  }
  if (--record(step).open_instances == 0) end_step();
  advance(rank_class);
}

void StepWalk::end_step() {
  if (finished_) return;  // what was running when the walk finished
  StepRecord& ended = record(complete_steps_);
  ended.end = clock_.now();
  step_ends_.push_back(ended.end);
  ++complete_steps_;
  if (complete_steps_ > 1) {
    alike_steps_ = shifted_alike(ended, record(complete_steps_ - 2)) ? alike_steps_ + 1 : 0;
    finished_ = alike_steps_ > program_.deepest_step_distance_ || complete_steps_ == kMaxSteps;
  }
  if (finished_) return;
  if (complete_steps_ > 1) reset(record(complete_steps_ - 2));
  for (std::size_t c = 0; c < classes_.size(); ++c) advance(int(c));
}

bool StepWalk::shifted_alike(const StepRecord& record, const StepRecord& before) const {
  const double shift = record.end - before.end;
  const double tolerance = kAlike * std::max(shift, std::numeric_limits<double>::min());
  for (std::size_t c = 0; c < record.spans.size(); ++c)
    for (std::size_t op = 0; op < record.spans[c].size(); ++op)
      if (std::abs(record.spans[c][op].end_seconds - before.spans[c][op].end_seconds - shift) > tolerance) return false;
  return true;
}

double StepWalk::period() const {
  DTBENCH_CHECK(finished_ && complete_steps_ > 1);
  const std::size_t last = step_ends_.size() - 1;
  const std::size_t from = alike_steps_ > program_.deepest_step_distance_ ? last - 1 : last / 2;
  return (step_ends_[last] - step_ends_[from]) / double(last - from);
}

StepTrace StepWalk::trace(std::string runner) const {
  StepTrace trace{std::move(runner), period(), {}};
  const StepRecord& shown = record(complete_steps_ - 1);
  double origin = std::numeric_limits<double>::infinity();
  for (const std::vector<OpSpan>& spans : shown.spans)
    for (const OpSpan& span : spans) origin = std::min(origin, span.start_seconds);
  const StepPlan& plan = program_.plan();
  for (std::size_t c = 0; c < plan.classes.size(); ++c) {
    RankTrace rank{plan.classes[c].ranks.front().first, int(c), shown.spans[c]};
    for (OpSpan& span : rank.spans) {
      span.start_seconds -= origin;
      span.end_seconds -= origin;
    }
    trace.ranks.push_back(std::move(rank));
  }
  return trace;
}

}  // namespace dtbench
