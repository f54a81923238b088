#include "engine/plan/models/model.h"

#include <fmt/core.h>

#include <algorithm>

#include "engine/plan/models/alexnet.h"
#include "engine/plan/models/bert.h"
#include "engine/plan/models/gpt.h"
#include "engine/plan/models/mlp.h"
#include "engine/plan/models/presets.h"
#include "engine/plan/models/resnet.h"
#include "engine/plan/models/vgg.h"
#include "topologies/base/error.h"
#include "topologies/base/suggest.h"
#include "topologies/base/units.h"

namespace dtbench {

namespace {

constexpr std::int64_t kLargestBatch = std::int64_t{1} << 40;
constexpr std::int64_t kLargestParameterBytes = std::int64_t{1} << 50;

// One row per file of a family.
const ModelFamily kFamilies[] = {
    mlp_family(), resnet_family(), vgg_family(), alexnet_family(), bert_family(), gpt_family(),
};

const ModelPreset* preset(std::string_view name) {
  for (const ModelPreset& row : model_presets())
    if (row.name == name) return &row;
  return nullptr;
}

const ModelOption* option_of(const ModelFamily& family, std::string_view name) {
  const auto at = std::find_if(family.options.begin(), family.options.end(),
                               [&](const ModelOption& option) { return option.name == name; });
  return at == family.options.end() ? nullptr : &*at;
}

void set_option(ModelOptions& options, const ModelFamily& family, std::string_view model, const std::string& name,
                std::int64_t value) {
  const ModelOption* option = option_of(family, name);
  if (option == nullptr) {
    std::vector<std::string> names;
    for (const ModelOption& known : family.options) names.emplace_back(known.name);
    throw_bad_input({fmt::format("option of model '{}'", model), fmt::format("'{}'", name), one_of(names),
                     did_you_mean(name, names)});
  }
  if (value < option->least || value > option->most)
    throw_bad_input({fmt::format("--{} of model '{}'", name, model), fmt::format("'{}'", value),
                     fmt::format("a whole number from {} to {}", option->least, option->most), ""});
  options[name] = value;
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

std::vector<std::string> model_names() {
  std::vector<std::string> names;
  for (const ModelFamily& family : kFamilies) names.emplace_back(family.name);
  for (const ModelPreset& row : model_presets()) names.emplace_back(row.name);
  return names;
}

const ModelFamily& model_family(std::string_view name) {
  const ModelPreset* row = preset(name);
  for (const ModelFamily& family : kFamilies)
    if (family.name == name || (row != nullptr && family.name == row->family)) return family;
  throw_bad_input({"--model", fmt::format("'{}'", name), one_of(model_names()), did_you_mean(name, model_names())});
}

std::string_view model_summary(std::string_view name) {
  const ModelPreset* row = preset(name);
  return row != nullptr ? row->summary : model_family(name).summary;
}

std::int64_t default_batch_per_replica(std::string_view model) {
  const ModelPreset* row = preset(model);
  return row != nullptr ? row->default_batch_per_replica : model_family(model).default_batch_per_replica;
}

ModelOptions complete_options(std::string_view model, const ModelOptions& given) {
  const ModelFamily& family = model_family(model);
  ModelOptions options;
  for (const ModelOption& option : family.options) options[std::string(option.name)] = option.fallback;
  if (const ModelPreset* row = preset(model))
    for (const auto& [name, value] : row->options) set_option(options, family, model, name, value);
  for (const auto& [name, value] : given) set_option(options, family, model, name, value);
  if (family.complete != nullptr) family.complete(options, model);
  return options;
}

std::optional<std::int64_t> tokens_per_sample(std::string_view model, const ModelOptions& given) {
  const ModelOptions options = complete_options(model, given);
  const auto length = options.find("seq-len");
  if (length == options.end()) return std::nullopt;
  return length->second;
}

Graph build_model(std::string_view name, const ModelOptions& options, std::int64_t batch) {
  const ModelFamily& family = model_family(name);
  if (batch < 1 || batch > kLargestBatch)
    throw_bad_input(
        {"batch per replica", fmt::format("{}", batch), fmt::format("a whole number from 1 to {}", kLargestBatch), ""});
  Graph graph = family.build(complete_options(name, options), batch);
  graph.model = name;
  check_parameter_bytes(graph);
  return graph;
}

}  // namespace dtbench
