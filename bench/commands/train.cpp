// dtbench train: trains for real on this host and reports loss and accuracy epoch by epoch.
#include <fmt/core.h>
#include <unistd.h>

#include <CLI/CLI.hpp>

#include "bench/commands/command.h"
#include "bench/environment.h"
#include "bench/host.h"
#include "bench/options.h"
#include "bench/output.h"
#include "bench/phase_times.h"
#include "bench/progress.h"
#include "bench/study.h"
#include "engine/cpu/cpu_backend.h"
#include "engine/cpu/host_probe.h"
#include "engine/plan/models/input_names.h"
#include "engine/plan/models/model.h"
#include "engine/train/data/labelled_examples.h"
#include "engine/train/data/plan_inputs.h"
#include "engine/train/data/text_windows.h"
#include "engine/train/trainer.h"
#include "reports/terminal.h"
#include "reports/train_json.h"
#include "topologies/base/error.h"
#include "topologies/base/units.h"

namespace dtbench {

namespace {

struct TrainArguments {
  std::string data, epochs = "10", target;
};

// What a user gets who only says "train": a small mlp that passes 88 % in some seconds.
RunSpec train_defaults() {
  RunSpec spec;
  spec.model_options = {{"hidden", 512}, {"layers", 2}};
  spec.batch_per_replica = 128;
  return spec;
}

// What the model reads decides: text for tokens, images for everything else.
TrainingData load_data(const StepPlan& plan, const RunSpec& spec, const std::string& path) {
  const auto length = tokens_per_sample(spec.model, spec.model_options);
  if (!length) return labelled_data(load_fashion_mnist(path.empty() ? kFashionMnistFolder : path));
  const std::string texts = path.empty() ? kLicenceTexts : path;
  input_of_plan(plan, kNextTokens, fmt::format("the bytes of {}", texts));
  return text_data(fmt::format("bytes of {}", texts), read_texts(texts), *length);
}

TrainingOptions training_options(const TrainArguments& arguments, const RunSpec& spec, int threads) {
  TrainingOptions options;
  options.epochs = static_cast<int>(std::min<std::int64_t>(parse_integer(arguments.epochs, "--epochs", 1), 1'000'000));
  if (!arguments.target.empty()) {
    options.target_accuracy = parse_number(arguments.target, "--target");
    if (*options.target_accuracy <= 0 || *options.target_accuracy > 1)
      throw_bad_input({"--target", arguments.target, "an accuracy above 0 and up to 1, such as 0.88", ""});
  }
  options.engine.threads_per_replica = threads;
  options.engine.seed = spec.seed;
  return options;
}

int train_on_host(const RunSpec& spec, const TrainArguments& arguments, const OutputOptions& output) {
  output.require_writable();
  PhaseTimes times;
  Progress progress(output.quiet);
  const auto probe = make_host_probe();
  const Topology topology = resolve_topology(spec, *probe);
  if (spec.devices.size() > 1)
    throw_bad_input({"--devices", fmt::format("{} counts", spec.devices.size()), "one: the replicas to train on", ""});
  const int replicas = device_counts(spec, topology.devices()).back();
  const TrainingOptions options = training_options(arguments, spec, threads_per_replica(spec, probe->facts()));
  const auto backend = make_cpu_backend();
  const StepRequest request = request_at(spec, replicas, topology.devices_per_node, backend->traits());
  const StepPlan plan = plan_step(request);
  const TrainingData data = load_data(plan, spec, arguments.data);
  TrainResult result{spec, this_command(), describe_environment(probe->facts()), model_report(spec, plan), data.name};
  times.end("load");
  progress.phase(fmt::format("training on {} ({} epochs at most)", data.name, options.epochs));
  for (const EpochOutcome& e : train(*backend, request, data, options, [&](const EpochOutcome& epoch) {
         progress.detail(fmt::format("epoch {}: test accuracy {:.2f} %", epoch.epoch, 100 * epoch.test_accuracy));
       })) {
    result.epochs.push_back({e.epoch, e.seconds, e.train_loss, e.test_accuracy, e.test_loss, e.samples_per_second});
    if (e.loss_scale)
      result.loss_scale = {e.loss_scale->scale, e.loss_scale->skipped_steps, e.loss_scale->culprit};
  }
  progress.finish();
  times.end("train");
  result.final_accuracy = result.epochs.back().test_accuracy;
  result.target = options.target_accuracy;
  if (result.target) result.reached = result.final_accuracy >= *result.target;
  result.replicas = replicas;
  result.seed = spec.seed;
  result.timing_of_dtbench = times.seconds();
  write_result(output, train_result_to_json_text(result), terminal_text(result, style_for(STDOUT_FILENO)));
  return static_cast<int>(result.reached.value_or(true) ? ExitCode::good : ExitCode::regressed);
}

}  // namespace

std::function<int()> declare_train(CLI::App& app) {
  auto spec =
      SpecArguments::declare(app, kWorkOptions | kModelSizeOptions | kScaleOptions | kThreadOptions | kSeedOptions);
  auto output = OutputOptions::declare(app);
  auto arguments = std::make_shared<TrainArguments>();
  app.add_option("--data", arguments->data,
                 "folder of the data: the four IDX files of Fashion-MNIST, or texts for language models");
  app.add_option("--epochs", arguments->epochs, "passes over the training set")->capture_default_str();
  app.add_option("--target", arguments->target,
                 "stop at this test accuracy, 0..1; exit status 1 when it is not reached");
  return [spec, output, arguments] {
    const bool chosen = spec->resolve().model != "mlp";
    return train_on_host(spec->resolve(chosen ? RunSpec{} : train_defaults()), *arguments, *output);
  };
}

}  // namespace dtbench
