#include "engine/plan/models/published_counts.h"

#include <algorithm>
#include <array>

#include "engine/plan/op_rule.h"

namespace dtbench {

namespace {

constexpr auto kParameters = PublishedCount::Quantity::parameters;
constexpr auto kFlops = PublishedCount::Quantity::forward_flops;
constexpr std::string_view kTorchvision = "torchvision 0.15, num_params and _ops of the weights (224 x 224)";
constexpr std::string_view kKerasHub = "KerasHub, params of the GPT-2 presets";
constexpr std::string_view kBertBase = "checkpoint bert-base-uncased (BertForPreTraining), total of its metadata";
constexpr std::string_view kDeepSpeed = "DeepSpeed flops_profiler README at 38327e07 (batch 80 of 128 tokens)";

constexpr PublishedCount kCounts[] = {
    {"resnet18", kParameters, 11'689'512, true, kTorchvision},
    {"resnet18", kFlops, 2 * 1.814e9, false, kTorchvision},
    {"resnet34", kParameters, 21'797'672, true, kTorchvision},
    {"resnet34", kFlops, 2 * 3.664e9, false, kTorchvision},
    {"resnet50", kParameters, 25'557'032, true, kTorchvision},
    {"resnet50", kFlops, 2 * 4.089e9, false, kTorchvision},
    {"resnet101", kParameters, 44'549'160, true, kTorchvision},
    {"resnet101", kFlops, 2 * 7.801e9, false, kTorchvision},
    {"resnet152", kParameters, 60'192'808, true, kTorchvision},
    {"resnet152", kFlops, 2 * 11.514e9, false, kTorchvision},
    {"vgg16", kParameters, 138'357'544, true, kTorchvision},
    {"vgg16", kFlops, 2 * 15.47e9, false, kTorchvision},
    {"alexnet", kParameters, 61'100'840, true, kTorchvision},
    {"alexnet", kFlops, 2 * 0.714e9, false, kTorchvision},
    {"bert_base", kParameters, 110'106'428, true, kBertBase},
    {"bert_large", kParameters, 336.23e6, false, kDeepSpeed},
    {"bert_large", kFlops, 6279.86e9 / 80, false, kDeepSpeed},
    {"gpt2_124m", kParameters, 124'439'808, true, kKerasHub},
    {"gpt2_355m", kParameters, 354'823'168, true, kKerasHub},
    {"gpt2_774m", kParameters, 774'030'080, true, kKerasHub},
    {"gpt2_1.5b", kParameters, 1'557'611'200, true, kKerasHub},
};

bool is_matrix_kind(std::string_view kind) {
  constexpr std::array<std::string_view, 3> kKinds = {"attention", "conv2d", "dense"};
  return std::find(kKinds.begin(), kKinds.end(), kind) != kKinds.end();
}

std::vector<Tensor> tensors_of(const Graph& graph, const std::vector<TensorId>& ids) {
  std::vector<Tensor> tensors;
  for (const TensorId id : ids) tensors.push_back(graph.tensors[static_cast<std::size_t>(id)]);
  return tensors;
}

}  // namespace

std::span<const PublishedCount> published_counts() { return kCounts; }

std::vector<PublishedCount> published_counts_of(std::string_view model) {
  std::vector<PublishedCount> found;
  for (const PublishedCount& row : kCounts)
    if (row.model == model) found.push_back(row);
  return found;
}

double matrix_flops_per_sample(const Graph& graph, std::int64_t batch) {
  double flops = 0;
  for (const GraphOp& op : graph.ops)
    if (op.pass == PassKind::forward && is_matrix_kind(op.kind))
      flops += op_rule(op.kind).cost(tensors_of(graph, op.inputs), tensors_of(graph, op.outputs), op.attributes).flops;
  return flops / static_cast<double>(batch);
}

}  // namespace dtbench
