#include "engine/plan/models/model.h"

#include <fmt/core.h>

#include "engine/plan/models/mlp.h"
#include "topologies/base/error.h"
#include "topologies/base/suggest.h"
#include "topologies/base/units.h"

namespace dtbench {

namespace {

constexpr std::int64_t kLargestBatch = std::int64_t{1} << 40;
constexpr std::int64_t kLargestParameterBytes = std::int64_t{1} << 50;

constexpr ModelFamily kFamilies[] = {
    {"mlp", "multi-layer perceptron: dense, bias and relu layers with softmax cross-entropy", mlp_defaults, mlp_limits,
     256, "images", build_mlp},
};

std::vector<std::string> keys(const ModelOptions& options) {
  std::vector<std::string> names;
  for (const auto& [name, value] : options) names.push_back(name);
  return names;
}

ModelOptions checked_options(const ModelFamily& family, const ModelOptions& given) {
  ModelOptions options = family.defaults();
  const ModelOptions limits = family.limits();
  for (const auto& [name, value] : given) {
    const auto limit = limits.find(name);
    if (limit == limits.end())
      throw_bad_input({fmt::format("option of model '{}'", family.name), fmt::format("'{}'", name),
                       one_of(keys(options)), did_you_mean(name, keys(options))});
    if (value < 1 || value > limit->second)
      throw_bad_input({fmt::format("--{} of model '{}'", name, family.name), fmt::format("{}", value),
                       fmt::format("a whole number from 1 to {}", limit->second), ""});
    options[name] = value;
  }
  return options;
}

void check_parameter_bytes(const Graph& graph) {
  double bytes = 0;
  for (const Tensor& tensor : graph.tensors)
    if (tensor.role == TensorRole::parameter) bytes += static_cast<double>(tensor.bytes());
  if (bytes > static_cast<double>(kLargestParameterBytes))
    throw_bad_input({fmt::format("model '{}'", graph.model), fmt::format("{} of parameters", format_bytes(bytes)),
                     fmt::format("at most {}", format_bytes(static_cast<double>(kLargestParameterBytes))),
                     "choose smaller options"});
}

}  // namespace

std::span<const ModelFamily> model_families() { return kFamilies; }

const ModelFamily& model_family(std::string_view name) {
  std::vector<std::string> names;
  for (const ModelFamily& family : kFamilies) {
    if (family.name == name) return family;
    names.emplace_back(family.name);
  }
  throw_bad_input({"--model", fmt::format("'{}'", name), one_of(names), did_you_mean(name, names)});
}

Graph build_model(std::string_view name, const ModelOptions& options, std::int64_t batch) {
  const ModelFamily& family = model_family(name);
  if (batch < 1 || batch > kLargestBatch)
    throw_bad_input(
        {"batch per replica", fmt::format("{}", batch), fmt::format("a whole number from 1 to {}", kLargestBatch), ""});
  Graph graph = family.build(checked_options(family, options), batch);
  check_parameter_bytes(graph);
  return graph;
}

}  // namespace dtbench
