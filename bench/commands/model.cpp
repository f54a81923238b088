// dtbench model list | show NAME
#include <fmt/core.h>

#include <CLI/CLI.hpp>

#include "bench/commands/command.h"
#include "bench/options.h"
#include "engine/plan/models/model.h"
#include "engine/plan/models/presets.h"
#include "engine/plan/models/published_counts.h"
#include "engine/plan/plan_step.h"
#include "topologies/base/units.h"

namespace dtbench {

namespace {

int list_models() {
  fmt::print("families (any size; see `dtbench model show NAME`)\n");
  for (const ModelFamily& family : model_families()) fmt::print("  {:12} {}\n", family.name, family.summary);
  fmt::print("presets\n");
  for (const ModelPreset& preset : model_presets()) fmt::print("  {:12} {}\n", preset.name, preset.summary);
  return 0;
}

void show_published(const std::string& model, double parameters, double matrix_flops) {
  for (const PublishedCount& row : published_counts_of(model)) {
    const bool flops = row.quantity == PublishedCount::Quantity::forward_flops;
    const double ours = flops ? matrix_flops : parameters;
    fmt::print("  published                {} {}, ours / published {:.4f} ({})\n",
               row.exact ? fmt::format("{:.0f}", row.value) : format_count(row.value),
               flops ? "forward FLOPs" : "parameters", ours / row.value, row.source);
  }
}

int show(const RunSpec& spec) {
  const ModelFamily& family = model_family(spec.model);
  const StepPlan plan = plan_step(request_at(spec, 1, 1, BackendTraits{}));
  fmt::print("{}: {}\n", spec.model, model_summary(spec.model));
  const ModelOptions options = complete_options(spec.model, spec.model_options);
  for (const ModelOption& option : family.options)
    fmt::print("  --{:22} {:<10} {}\n", option.name, options.at(std::string(option.name)), option.help);
  fmt::print("  parameters               {} ({}); gradients {} in float32\n", plan.parameters,
             format_count(static_cast<double>(plan.parameters)),
             format_bytes(4 * static_cast<double>(plan.parameters)));
  const double matrix_flops = matrix_flops_per_sample(
      build_model(spec.model, spec.model_options, plan.batch_per_replica), plan.batch_per_replica);
  fmt::print("  forward FLOPs per sample {}, {} of them in matrix operations\n",
             format_count(plan.forward_flops_per_sample), format_count(matrix_flops));
  if (spec.model_options.empty()) show_published(spec.model, static_cast<double>(plan.parameters), matrix_flops);
  fmt::print("  batch per replica        {}\n", plan.batch_per_replica);
  fmt::print("  a sample is one of       {}", family.sample_unit);
  if (const auto tokens = tokens_per_sample(spec.model, spec.model_options)) fmt::print(" ({} tokens)", *tokens);
  fmt::print("\n");
  return 0;
}

}  // namespace

std::function<int()> declare_model(CLI::App& app) {
  app.require_subcommand(1);
  app.add_subcommand("list", "families and presets");
  CLI::App* show_app = app.add_subcommand("show", "parameters and FLOPs of a model");
  auto name = std::make_shared<std::string>();
  show_app->add_option("name", *name, "family or preset")->required();
  auto arguments = SpecArguments::declare(*show_app, kModelSizeOptions);
  return [show_app, name, arguments] {
    if (!show_app->parsed()) return list_models();
    RunSpec defaults;
    defaults.model = *name;
    return show(arguments->resolve(defaults));
  };
}

}  // namespace dtbench
