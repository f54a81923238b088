// The plan of one training step: what the engine runs and the simulator prices. The only description of the step.
//
// A *rank* is a device with its part of the work. Ranks that do the same form a *class*; a class lists its operations
// once, whatever the number of ranks. Operations of one stream run in list order; an operation starts when its stream
// is free and everything in `after` has finished. Step k+1 may start while step k is running, as far as the
// dependencies with a `step_distance` allow: the step time is the steady-state period.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/collectives/schedule.h"
#include "engine/plan/graph.h"
#include "engine/plan/tensor.h"
#include "topologies/arithmetic.h"

namespace dtbench {

using OpId = int;  ///< index into RankClass::ops

enum class OpType { compute, collective, send, receive, host_transfer };
enum class Stream { compute, communication, host };
inline constexpr int kStreams = 3;
std::string_view name_of(OpType type);
std::string_view name_of(Stream stream);

/// Must wait for `op` of `step_distance` steps and `micro_batch_distance` micro-batches ago.
struct Dependency {
  OpId op = 0;
  int step_distance = 0;
  int micro_batch_distance = 0;
  bool operator==(const Dependency&) const = default;
};

enum class ExecutedBy { schedule, library };  ///< library: NCCL chooses and reports what it chose

struct CollectiveCall {
  CollectiveKind kind = CollectiveKind::all_reduce;
  int group = 0;                ///< index into StepPlan::groups
  TensorId buffer = kNoTensor;  ///< reduced in place
  std::int64_t bytes = 0;
  std::string algorithm;  ///< row of collective_algorithms()
  ExecutedBy executed_by = ExecutedBy::schedule;
  bool operator==(const CollectiveCall&) const = default;
};

struct PlanOp {
  std::string name;
  OpType type = OpType::compute;
  std::string
      kind;  ///< row of the op table for compute; "input" for the host transfer; name of the collective otherwise
  PassKind pass = PassKind::forward;
  Attributes attributes;
  std::vector<TensorId> inputs, outputs;
  Arithmetic arithmetic = Arithmetic::float32;
  double flops = 0, bytes = 0;  ///< OpCost of this call, on one rank
  Stream stream = Stream::compute;
  std::vector<Dependency> after;
  std::optional<CollectiveCall> collective;
  TensorId predicate = kNoTensor;  ///< run only if this scalar is not 0 (update skipped by the loss scale)
  bool executable = true;          ///< false: no back end here can run it; the report says so
  bool operator==(const PlanOp&) const = default;
};

/// first, first + stride, ... (count of them).
struct RankSet {
  int first = 0, count = 1, stride = 1;
  bool operator==(const RankSet&) const = default;
};

/// A communicator: `instances` disjoint rank sets, instance i shifted by i * instance_stride.
struct Group {
  std::string axis;  ///< mesh axis it spans: "data", "model"
  RankSet members;
  int instances = 1, instance_stride = 0;
  GroupShape shape;  ///< how one instance lies on nodes
  bool operator==(const Group&) const = default;
};

/// Where a tensor lies in the arena. `buffers` > 1: used in turn by successive steps (prefetched input), `bytes` each.
struct Allocation {
  TensorId tensor = kNoTensor;
  std::int64_t offset = 0, bytes = 0;
  int buffers = 1;
  bool operator==(const Allocation&) const = default;
};

/// Bytes on one rank. `activations` is what liveness needs beyond the other components; total = arena + workspace.
struct MemoryUse {
  std::int64_t weights = 0, gradients = 0, optimizer = 0, activations = 0, workspace = 0, total = 0;
  bool operator==(const MemoryUse&) const = default;
};

struct MemoryPlan {
  std::vector<Allocation> allocations;  ///< of tensors that own memory, ordered by tensor
  std::int64_t arena_bytes = 0;
  MemoryUse use;
  bool operator==(const MemoryPlan&) const = default;
};

struct RankClass {
  std::string name;
  std::vector<RankSet> ranks;
  std::vector<Tensor> tensors;
  std::vector<PlanOp> ops;
  std::vector<Repeat> repeats;  ///< over ops
  TensorId loss = kNoTensor;
  MemoryPlan memory;
  int rank_count() const;
  bool operator==(const RankClass&) const = default;
};

/// The model's parameters, in the order of the model. Each is a view into its bucket's parameter tensor when there are
/// updates, else it owns its memory (plan_evaluation); names are the same either way.
std::vector<TensorId> model_parameters(const RankClass& cls);

struct StepPlan {
  std::string model, strategy;
  int ranks = 1, nodes = 1, replicas = 1;
  std::int64_t batch_per_replica = 0, global_batch = 0;
  double forward_flops_per_sample = 0;
  std::int64_t parameters = 0;
  std::vector<Group> groups;
  std::vector<RankClass> classes;
  bool operator==(const StepPlan&) const = default;
};

/// "" when all indices, streams, views, dependencies (no cycle within a step) and allocations (no two tensors that live
/// at once overlap) are sound; otherwise the first fault. Run by tests on every plan and by runners on plans from
/// outside.
std::string check_plan(const StepPlan& plan);

}  // namespace dtbench
