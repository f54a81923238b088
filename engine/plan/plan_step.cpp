#include "engine/plan/plan_step.h"

#include <fmt/core.h>

#include <cmath>

#include "engine/collectives/algorithm.h"
#include "engine/plan/autodiff.h"
#include "engine/plan/buckets.h"
#include "engine/plan/dependencies.h"
#include "engine/plan/evaluation_graph.h"
#include "engine/plan/gradient_compression.h"
#include "engine/plan/loss_scaling.h"
#include "engine/plan/memory.h"
#include "engine/plan/models/model.h"
#include "engine/plan/op_rule.h"
#include "engine/plan/precision.h"
#include "engine/plan/reshape_views.h"
#include "engine/plan/strategies/sync_batch_norm.h"
#include "topologies/base/error.h"
#include "topologies/base/suggest.h"
#include "topologies/base/units.h"

namespace dtbench {

namespace {

void check_request(const StepRequest& request) {
  const Strategy& spread = strategy(request.strategy);
  if (request.replicas < 1 || request.replicas > spread.max_replicas())
    throw_bad_input({"--devices", fmt::format("{} replicas with strategy '{}'", request.replicas, request.strategy),
                     fmt::format("1 to {}", spread.max_replicas()), "use --strategy mirrored"});
  if (request.shape.ranks() != request.replicas)
    throw_bad_input(
        {"replicas",
         fmt::format("{} on {} node(s) of {}", request.replicas, request.shape.nodes, request.shape.per_node),
         "nodes x devices per node", ""});
  if (request.collective != "auto") collective_algorithm(request.collective);
  if (request.optimizer != "momentum")
    throw_bad_input({"--optimizer", fmt::format("'{}'", request.optimizer), "'momentum'",
                     did_you_mean(request.optimizer, {"momentum"})});
  if (!(request.momentum >= 0 && request.momentum < 1))
    throw_bad_input({"--momentum", fmt::format("{}", request.momentum), "0 <= momentum < 1", ""});
  if (!std::isfinite(request.learning_rate) || request.learning_rate < 0)
    throw_bad_input({"--lr", fmt::format("{}", request.learning_rate), "a finite number of at least 0", ""});
  if (request.bucket_bytes < 1)
    throw_bad_input({"--bucket-bytes", fmt::format("{}", request.bucket_bytes), "at least 1", ""});
}

// The mean over the labels of the global batch is a sum over replicas (engine/plan/ops/README.md, "Loss scale"). Each
// term of the loss is a mean of its own.
void scale_losses(Graph& graph, std::int64_t batch_per_replica, std::int64_t global_batch) {
  for (GraphOp& op : graph.ops) {
    if (op.kind != "softmax_cross_entropy") continue;
    const std::int64_t labels = graph.tensors[static_cast<std::size_t>(op.inputs[1])].elements() / batch_per_replica;
    op.attributes["scale"] = 1.0 / (static_cast<double>(global_batch) * static_cast<double>(labels));
  }
}

std::vector<Tensor> gathered(const RankClass& cls, const std::vector<TensorId>& ids) {
  std::vector<Tensor> tensors;
  for (const TensorId id : ids) tensors.push_back(cls.tensors[static_cast<std::size_t>(id)]);
  return tensors;
}

void append_compute(RankClass& cls, PlanOp op, const PrecisionPolicy& policy) {
  std::vector<Tensor> tensors = gathered(cls, op.inputs);
  const std::vector<Tensor> outputs = gathered(cls, op.outputs);
  const OpCost cost = op_rule(op.kind).cost(tensors, outputs, op.attributes);
  op.flops = cost.flops;
  op.bytes = cost.bytes;
  tensors.insert(tensors.end(), outputs.begin(), outputs.end());
  op.arithmetic = arithmetic_of(op.kind, tensors, policy);
  op.executable = op.arithmetic != Arithmetic::tf32;  // priced; no processor that a back end here drives has it
  cls.ops.push_back(std::move(op));
}

PlanOp input_transfer(const Graph& graph, const BackendTraits& traits) {
  PlanOp op;
  op.name = op.kind = "input";
  op.type = OpType::host_transfer;
  op.pass = PassKind::input;
  op.stream = traits.prefetches_input ? Stream::host : Stream::compute;
  for (std::size_t t = 0; t < graph.tensors.size(); ++t) {
    const Tensor& tensor = graph.tensors[t];
    if (tensor.role != TensorRole::input && tensor.role != TensorRole::label) continue;
    op.outputs.push_back(static_cast<TensorId>(t));
    op.bytes += static_cast<double>(tensor.bytes());
  }
  return op;
}

RankClass class_of(Graph graph, const StepRequest& request) {
  const PrecisionPolicy& policy = precision_policy(request.precision);
  turn_reshapes_into_views(graph);
  RankClass cls;
  cls.name = "replica";
  cls.ranks = {{0, 1, 1}};
  cls.tensors = graph.tensors;
  cls.loss = graph.loss;
  cls.ops.push_back(input_transfer(graph, request.traits));
  for (const GraphOp& graph_op : graph.ops) {
    PlanOp op;
    op.name = graph_op.name;
    op.kind = graph_op.kind;
    op.pass = graph_op.pass;
    op.attributes = graph_op.attributes;
    op.inputs = graph_op.inputs;
    op.outputs = graph_op.outputs;
    append_compute(cls, std::move(op), policy);
  }
  return cls;
}

void append_update(RankClass& cls, const Bucket& bucket, const LossScale& loss_scale, const StepRequest& request) {
  PlanOp op;
  const std::string& name = cls.tensors[static_cast<std::size_t>(bucket.parameters)].name;
  op.name = name.substr(0, name.rfind('/')) + "/update";
  op.kind = "sgd_momentum";
  op.pass = PassKind::update;
  op.attributes = {{"learning_rate", request.learning_rate}, {"momentum", request.momentum}};
  op.inputs = {bucket.parameters, bucket.gradients, bucket.velocity};
  if (loss_scale.scale != kNoTensor) op.inputs.push_back(loss_scale.scale);
  op.outputs = {bucket.parameters, bucket.velocity};
  op.predicate = loss_scale.finite;
  append_compute(cls, std::move(op), precision_policy(request.precision));
}

void append_updates(RankClass& cls, const std::vector<Bucket>& buckets, LossScale loss_scale,
                    const StepRequest& request) {
  const PrecisionPolicy& policy = precision_policy(request.precision);
  if (policy.loss_scaling) append_compute(cls, finite_check(cls, loss_scale, buckets), policy);
  for (const Bucket& bucket : buckets) append_update(cls, bucket, loss_scale, request);
  if (policy.loss_scaling) append_compute(cls, loss_scale_update(loss_scale), policy);
}

StepPlan plan_around(const Graph& graph, const StepRequest& request, RankClass cls) {
  StepPlan plan;
  plan.model = request.model;
  plan.strategy = request.strategy;
  plan.ranks = plan.replicas = request.replicas;
  plan.nodes = request.shape.nodes;
  plan.batch_per_replica = request.batch_per_replica;
  plan.global_batch = checked_multiply(request.batch_per_replica, request.replicas, "global batch");
  plan.parameters = graph.parameter_count();
  for (const PlanOp& op : cls.ops)
    if (op.pass == PassKind::forward) plan.forward_flops_per_sample += op.flops;
  plan.forward_flops_per_sample /= static_cast<double>(request.batch_per_replica);
  plan.classes.push_back(std::move(cls));
  return plan;
}

void settle(StepPlan& plan, const BackendTraits& traits) {
  for (RankClass& cls : plan.classes) {
    derive_dependencies(cls);
    plan_memory(cls, traits);
  }
}

}  // namespace

StepPlan plan_step(const StepRequest& request) {
  check_request(request);
  Graph graph = build_model(request.model, request.model_options, request.batch_per_replica);
  scale_losses(graph, request.batch_per_replica,
               checked_multiply(request.batch_per_replica, request.replicas, "global batch"));
  const PrecisionPolicy& policy = precision_policy(request.precision);
  graph = apply_precision(graph, policy);
  add_backward(graph);
  const LossScale loss_scale = policy.loss_scaling ? add_loss_scale(graph) : LossScale{};
  RankClass cls = class_of(graph, request);
  append_updates(cls,
                 group_into_buckets(cls, graph.gradient_of, request.bucket_bytes, request.traits.alignment_bytes),
                 loss_scale, request);
  StepPlan plan = plan_around(graph, request, std::move(cls));
  const StrategyOptions options = {request.replicas, request.shape, request.bucket_bytes, request.collective,
                                   request.traits};
  strategy(request.strategy).apply(plan, options);
  if (const std::optional<DType> type = compressed_type(request.gradient_compression))
    for (RankClass& rank_class : plan.classes) compress_gradients(rank_class, *type);
  if (request.sync_batch_norm) synchronize_batch_norm(plan, options);
  settle(plan, request.traits);
  return plan;
}

StepPlan plan_evaluation(const StepRequest& request) {
  StepRequest alone = request;
  alone.strategy = "single";
  alone.replicas = 1;
  alone.shape = {1, 1};
  check_request(alone);
  Graph graph = to_evaluation(build_model(alone.model, alone.model_options, alone.batch_per_replica));
  scale_losses(graph, alone.batch_per_replica, alone.batch_per_replica);
  graph = apply_precision(graph, precision_policy(alone.precision));
  StepPlan plan = plan_around(graph, alone, class_of(graph, alone));
  settle(plan, alone.traits);
  return plan;
}

}  // namespace dtbench
