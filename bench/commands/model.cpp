// dtbench model list | show NAME
#include <fmt/core.h>

#include <CLI/CLI.hpp>

#include "bench/commands/command.h"
#include "bench/options.h"
#include "engine/plan/models/model.h"
#include "engine/plan/plan_step.h"
#include "topologies/base/units.h"

namespace dtbench {

namespace {

int list() {
  for (const ModelFamily& family : model_families()) fmt::print("{:12} {}\n", family.name, family.summary);
  return 0;
}

int show(const RunSpec& spec) {
  const ModelFamily& family = model_family(spec.model);
  const StepPlan plan = plan_step(request_at(spec, 1, 1, BackendTraits{}));
  fmt::print("{}: {}\n", family.name, family.summary);
  for (const auto& [option, fallback] : family.defaults()) {
    const auto given = spec.model_options.find(option);
    fmt::print("  --{} {}\n", option, given == spec.model_options.end() ? fallback : given->second);
  }
  fmt::print("  parameters               {} ({})\n", plan.parameters,
             format_count(static_cast<double>(plan.parameters)));
  fmt::print("  forward FLOPs per sample {}\n", format_count(plan.forward_flops_per_sample));
  fmt::print("  batch per replica        {}\n", plan.batch_per_replica);
  fmt::print("  a sample is one of       {}\n", family.sample_unit);
  return 0;
}

}  // namespace

std::function<int()> declare_model(CLI::App& app) {
  app.require_subcommand(1);
  app.add_subcommand("list", "model families");
  CLI::App* show_app = app.add_subcommand("show", "parameters and FLOPs of a model");
  auto name = std::make_shared<std::string>();
  show_app->add_option("name", *name, "model family")->required();
  auto arguments = SpecArguments::declare(*show_app, kModelSizeOptions);
  return [show_app, name, arguments] {
    if (!show_app->parsed()) return list();
    RunSpec defaults;
    defaults.model = *name;
    return show(arguments->resolve(defaults));
  };
}

}  // namespace dtbench
