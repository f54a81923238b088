#include "bench/options.h"

#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <charconv>
#include <functional>

#include "engine/collectives/algorithm.h"
#include "engine/plan/gradient_compression.h"
#include "engine/plan/models/model.h"
#include "engine/plan/precision.h"
#include "engine/plan/strategy.h"
#include "topologies/base/error.h"
#include "topologies/base/suggest.h"
#include "topologies/base/units.h"

namespace dtbench {

namespace {

template <typename Enum, std::size_t n>
Enum choice(const std::array<std::pair<const char*, Enum>, n>& table, const std::string& text, const char* option) {
  std::vector<std::string> names;
  for (const auto& [name, value] : table) {
    if (text == name) return value;
    names.emplace_back(name);
  }
  throw_bad_input({option, fmt::format("'{}'", text), one_of(names), did_you_mean(text, names)});
}

constexpr std::array<std::pair<const char*, Measure>, 3> kMeasures = {
    {{"auto", Measure::automatic}, {"off", Measure::off}, {"required", Measure::required}}};
constexpr std::array<std::pair<const char*, Fidelity>, 3> kFidelities = {
    {{"closed-form", Fidelity::closed_form}, {"flow", Fidelity::flow}, {"message", Fidelity::message}}};

constexpr const char* kModelSizeHeading = "Size of the model (`dtbench model show NAME` says which ones it has)";

/// Far above any machine that a topology can name; keeps sums of counts in range.
constexpr std::int64_t kLargestCount = std::int64_t{1} << 40;

std::int64_t count_of(const std::string& text, const char* option, std::int64_t largest = kLargestCount) {
  const std::int64_t count = parse_integer(text, option, 1);
  if (count > largest) throw_bad_input({option, text, fmt::format("a whole number from 1 to {}", largest), ""});
  return count;
}

std::vector<int> device_list(const std::string& text) {
  std::vector<int> counts;
  std::size_t first = 0;
  while (first <= text.size()) {
    const std::size_t comma = std::min(text.find(',', first), text.size());
    counts.push_back(static_cast<int>(count_of(text.substr(first, comma - first), "--devices", 1 << 20)));
    first = comma + 1;
  }
  std::sort(counts.begin(), counts.end());
  counts.erase(std::unique(counts.begin(), counts.end()), counts.end());
  return counts;
}

// All 64 bits, as in a file.
std::uint64_t seed_of(const std::string& text) {
  std::uint64_t seed = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), seed);
  if (error != std::errc() || end != text.data() + text.size())
    throw_bad_input({"--seed", fmt::format("'{}'", text), "a whole number from 0 to 2^64 - 1", ""});
  return seed;
}

double time_budget(const std::string& text) {
  const double seconds = parse_seconds(text, "--time-budget");
  if (seconds <= 0) throw_bad_input({"--time-budget", text, "a time above 0", "--measure off measures nothing"});
  return seconds;
}

using TakeText = std::function<void(const std::string& name, const std::string& text)>;

void declare_option(CLI::App& app, const SpecOption& option, const TakeText& take) {
  const std::string name(option.name), help(option.help);
  if (option.value.empty()) {
    app.add_flag_callback(
        name, [take, name] { take(name, "on"); }, help);
    return;
  }
  app.add_option_function<std::string>(
         name, [take, name](const std::string& text) { take(name, text); }, help)
      ->type_name(std::string(option.value));
}

}  // namespace

const std::vector<SpecOption>& spec_options() {
  static const std::vector<SpecOption> options = {
      {"--topology", "SPEC", "machine: [<nodes>x]<devices>x<device>[@<system>], `host`, or a .json file (host)",
       kMachineOptions, [](RunSpec& spec, const std::string& text) { spec.topology = text; }},
      {"--model", "NAME", "network to train (mlp); see `dtbench model list`", kWorkOptions,
       [](RunSpec& spec, const std::string& text) { spec.model = text; }},
      {"--strategy", "NAME", "how the step is spread: single, mirrored (mirrored)", kWorkOptions,
       [](RunSpec& spec, const std::string& text) { spec.strategy = text; }},
      {"--precision", "NAME", "float32, tf32, mixed_bfloat16 or mixed_float16 (float32)", kWorkOptions,
       [](RunSpec& spec, const std::string& text) { spec.precision = text; }},
      {"--batch-per-replica", "N", "samples of one replica at every device count: weak scaling (the model's own)",
       static_cast<OptionGroup>(kWorkOptions | kBatchOptions),
       [](RunSpec& spec, const std::string& text) {
         spec.batch_per_replica = count_of(text, "--batch-per-replica");
         spec.global_batch.reset();
       }},
      {"--global-batch", "N", "samples of all replicas together: strong scaling", kWorkOptions,
       [](RunSpec& spec, const std::string& text) {
         spec.global_batch = count_of(text, "--global-batch");
         spec.batch_per_replica.reset();
       }},
      {"--optimizer", "NAME", "momentum (momentum)", kWorkOptions,
       [](RunSpec& spec, const std::string& text) { spec.optimizer = text; }},
      {"--lr", "X", "learning rate (0.05)", kWorkOptions,
       [](RunSpec& spec, const std::string& text) { spec.learning_rate = parse_number(text, "--lr"); }},
      {"--collective", "NAME", "algorithm of the all-reduce, or auto (auto)", kWorkOptions,
       [](RunSpec& spec, const std::string& text) { spec.collective = text; }},
      {"--sync-batch-norm", "", "batch normalisation over the batches of all replicas together", kWorkOptions,
       [](RunSpec& spec, const std::string&) { spec.sync_batch_norm = true; }},
      {"--bucket-bytes", "SIZE", "gradients are reduced in buckets of this size (25MB)", kWorkOptions,
       [](RunSpec& spec, const std::string& text) { spec.bucket_bytes = parse_bytes(text, "--bucket-bytes"); }},
      {"--gradient-compression", "TYPE", "gradients are summed as: none, bfloat16, float16 (none)", kWorkOptions,
       [](RunSpec& spec, const std::string& text) { spec.gradient_compression = text; }},
      {"--devices", "N,N,...", "device counts to report (1, 2, 4, ... up to the topology)", kScaleOptions,
       [](RunSpec& spec, const std::string& text) { spec.devices = device_list(text); }},
      {"--threads-per-replica", "N", "cores of one replica on this host (cores / largest replica count)",
       kThreadOptions,
       [](RunSpec& spec, const std::string& text) {
         spec.threads_per_replica = static_cast<int>(count_of(text, "--threads-per-replica", 1 << 16));
       }},
      {"--calibration", "FILE", "calibration of the topology (shipped, or measured for host)", kPredictionOptions,
       [](RunSpec& spec, const std::string& text) { spec.calibration = text; }},
      {"--anchor", "devices=1,throughput=X,unit=U", "one measured throughput that pins the compute rate",
       kAnchorOptions, [](RunSpec& spec, const std::string& text) { spec.anchor = parse_anchor(text); }},
      {"--measure", "auto|off|required", "run the step on this host too (auto)", kMeasureOptions,
       [](RunSpec& spec, const std::string& text) { spec.measure = choice(kMeasures, text, "--measure"); }},
      {"--fidelity", "NAME", "closed-form, flow or message (closed-form)", kPredictionOptions,
       [](RunSpec& spec, const std::string& text) { spec.fidelity = choice(kFidelities, text, "--fidelity"); }},
      {"--time-budget", "TIME", "longest time for calibration and measurement (run 20s, calibrate 120s, others 60s)", kBudgetOptions,
       [](RunSpec& spec, const std::string& text) { spec.time_budget_seconds = time_budget(text); }},
      {"--seed", "N", "of generated input, parameters and bands (1)", kSeedOptions,
       [](RunSpec& spec, const std::string& text) { spec.seed = seed_of(text); }},
  };
  return options;
}

std::shared_ptr<SpecArguments> SpecArguments::declare(CLI::App& app, unsigned groups) {
  auto arguments = std::make_shared<SpecArguments>();
  for (const SpecOption& option : spec_options())
    if ((option.group & groups) != 0)
      declare_option(app, option,
                     [arguments](const std::string& name, const std::string& text) { arguments->given_[name] = text; });
  if ((groups & kModelSizeOptions) != 0)
    for (const ModelFamily& family : model_families())
      for (const ModelOption& option : family.options) {
        const std::string key(option.name);
        if (app.get_option_no_throw("--" + key) != nullptr) continue;  // several families have layers
        app.add_option_function<std::string>(
               "--" + key, [arguments, key](const std::string& text) { arguments->model_given_[key] = text; },
               std::string(option.help))
            ->type_name("N")
            ->group(kModelSizeHeading);
      }
  app.add_option_function<std::string>(
         "--config", [arguments](const std::string& text) { arguments->config_ = text; },
         "JSON file of a request, as `spec` in a result; the command line wins")
      ->type_name("FILE");
  return arguments;
}

RunSpec SpecArguments::resolve(RunSpec defaults) const {
  if (given_.count("--batch-per-replica") != 0 && given_.count("--global-batch") != 0)
    throw_bad_input({"--global-batch", "given together with --batch-per-replica", "one of the two", ""});
  for (const auto& [name, text] : given_)
    if (text.empty()) throw_bad_input({name, "an empty value", "a value", ""});
  if (config_ && config_->empty()) throw_bad_input({"--config", "an empty file name", "a path", ""});
  RunSpec spec = config_ ? run_spec_from_json_file(*config_, defaults) : defaults;
  for (const SpecOption& option : spec_options()) {
    const auto text = given_.find(option.name);
    if (text != given_.end()) option.apply(spec, text->second);
  }
  for (const auto& [key, text] : model_given_) spec.model_options[key] = parse_integer(text, "--" + key, 0);
  check_names(spec);
  return spec;
}

void check_names(const RunSpec& spec) {
  const ModelFamily& family = model_family(spec.model);
  std::vector<std::string> keys;
  for (const ModelOption& option : family.options) keys.emplace_back(option.name);
  for (const auto& [key, value] : spec.model_options)
    if (std::find(keys.begin(), keys.end(), key) == keys.end())
      throw_bad_input(
          {"--" + key, fmt::format("no option of model '{}'", spec.model), one_of(keys), did_you_mean(key, keys)});
  complete_options(spec.model, spec.model_options);
  strategy(spec.strategy);
  if (spec.collective != "auto") collective_algorithm(spec.collective);
  precision_policy(spec.precision);
  compressed_type(spec.gradient_compression);
}

std::vector<std::string> split_list(const std::string& text, const char* option) {
  std::vector<std::string> words;
  for (std::size_t first = 0; first <= text.size();) {
    const std::size_t comma = std::min(text.find(',', first), text.size());
    words.push_back(text.substr(first, comma - first));
    first = comma + 1;
    if (words.back().empty()) throw_bad_input({option, "an empty name in '" + text + "'", "NAME,NAME,...", ""});
    if (std::count(words.begin(), words.end(), words.back()) > 1)
      throw_bad_input({option, "'" + words.back() + "' twice", "each name once", ""});
  }
  return words;
}

std::vector<int> default_device_counts(int devices) {
  std::vector<int> counts;
  for (int count = 1; count < devices; count *= 2) counts.push_back(count);
  counts.push_back(devices);
  return counts;
}

std::vector<int> device_counts(const RunSpec& spec, int available) {
  const int most = strategy(spec.strategy).max_replicas();
  if (most < available) available = most;
  if (spec.devices.empty()) return default_device_counts(available);
  for (const int count : spec.devices)
    if (count > available)
      throw_bad_input(
          {"--devices", std::to_string(count),
           fmt::format("at most {} ({})", available, most == available ? "strategy " + spec.strategy : spec.topology),
           ""});
  return spec.devices;
}

}  // namespace dtbench
