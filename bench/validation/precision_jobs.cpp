#include "bench/validation/precision_jobs.h"

#include <fmt/core.h>

#include <algorithm>
#include <optional>

#include "bench/validation/published_machines.h"
#include "topologies/base/suggest.h"

namespace dtbench {

namespace {

/// Forward, and twice as much for the gradients of inputs and weights.
constexpr double kTrainingPasses = 3;
/// The phases of BERT's pre-training run 32 to 512 passes between two optimizer steps.
constexpr double kPretrainingPasses = 64;
/// Of a network that nobody counted.
constexpr double kUsualParameters = 50e6;

/// "images/s" -> images; "Msamples/s" -> samples, and how many of them the unit counts.
struct Unit {
  std::string samples;
  double count = 1;
};
Unit unit_of(const PublishedPair& pair) {
  std::string text = pair.unit.substr(0, pair.unit.find('/'));
  Unit unit;
  if (text.starts_with("M") || text.starts_with("k")) {
    unit.count = text.front() == 'M' ? 1e6 : 1e3;
    text.erase(0, 1);
  }
  unit.samples = text == "sentences" || text == "examples" ? "sequences" : text == "records" ? "samples" : text;
  return unit;
}

bool is_pretraining_phase(const PublishedPair& pair) {
  return (mentions(pair.model, "bert") || mentions(pair.model, "electra")) &&
         (pair.sequence_length == 128 || pair.sequence_length == 512);
}

bool looks_at_pictures(const JobWork& work) {
  return work.kind == "convolution" || work.kind == "depthwise" || work.kind == "detection" ||
         work.kind == "segmentation";
}

double bytes_per_parameter(const PublishedPair& pair, const JobWork& work, bool mixed) {
  return mixed && exchanges_half_precision(looks_at_pictures(work), pair.framework) ? 2 : 4;
}

/// What a precision multiplies in on this device; none where the word means nothing.
std::optional<Arithmetic> arithmetic_of(const std::string& precision, const DeviceSpec& device) {
  const std::string word = fold_name(precision);
  // Frameworks of Ampere's time multiply float32 in TF32 unless told otherwise.
  if (word == "fp32" || word == "float32" || word == "tf32")
    return device.peak_flops.count(Arithmetic::tf32) > 0 ? Arithmetic::tf32 : Arithmetic::float32;
  if (word.ends_with("fp16") || word.ends_with("float16")) return Arithmetic::float16;
  if (word.ends_with("bf16") || word.ends_with("bfloat16")) return Arithmetic::bfloat16;
  return std::nullopt;
}

/// Why a pair cannot be judged; "" when it can.
std::string fault_of(const PublishedPair& pair, PublishedMachines& machines, const JobWork& work) {
  if (const std::string fault = machines.fault_of(pair.topology, pair.devices); !fault.empty()) return fault;
  const DeviceSpec& device = machines.find(pair.topology).topology->device;
  if (work.kind.empty())
    return fmt::format("model '{}' is not in workloads.csv, and '{}' tells no kind of network", pair.model, pair.unit);
  if (pair.base.batch_per_device == 0 || pair.mixed.batch_per_device == 0) return "no batch is published";
  for (const PublishedSide* side : {&pair.base, &pair.mixed}) {
    const auto arithmetic = arithmetic_of(side->precision, device);
    if (!arithmetic || device.peak_flops.count(*arithmetic) == 0)
      return fmt::format("{} has no rate for '{}'", device.name, side->precision);
  }
  return "";
}

/// What had to be guessed to judge a pair; "" for nothing.
std::string assumption_of(const PublishedPair& pair, const Workloads& workloads, const ModelProfile* profile) {
  if (!workloads.knows(pair.model))
    return fmt::format("model '{}' is not in workloads.csv: taken as usual for '{}'", pair.model, pair.unit);
  if (profile == nullptr)
    return fmt::format("model '{}' is not in models.csv: taken to have {:.0f} million parameters", pair.model,
                       kUsualParameters / 1e6);
  if (is_pretraining_phase(pair))
    return fmt::format("a phase of pre-training: taken to run {} passes between two optimizer steps", kPretrainingPasses);
  return "";
}

GainTarget target_of(const PublishedPair& pair, const PublishedMachines::Known& machine, const JobWork& work,
                     double units) {
  GainTarget target;
  target.pair = &pair;
  GainJob& job = target.observation.job;
  job.script = fmt::format("{} of {}", pair.framework, pair.source);
  job.model = fold_name(pair.model);
  job.machine = fmt::format("{} of {}", pair.system, pair.source);
  job.compiled = fold_name(pair.compiler) == "xla";
  job.work = work;
  job.device = machine.topology->device;
  job.passes = is_pretraining_phase(pair) ? kPretrainingPasses : 1;
  job.exchange = machine.exchange;
  const auto side = [&](const PublishedSide& published, bool mixed) {
    return GainSide{*arithmetic_of(published.precision, job.device), published.batch_per_device,
                    bytes_per_parameter(pair, work, mixed)};
  };
  job.base = side(pair.base, false);
  job.mixed = side(pair.mixed, true);
  target.observation.gain = pair.gain();
  target.observation.base_samples_per_second = pair.base.value * unit_of(pair).count / units / pair.devices;
  return target;
}

}  // namespace

Workloads::Workloads(const CsvTable& table) {
  for (std::size_t i = 0; i < table.size(); ++i) {
    const CsvRow line = table.row(i);
    const auto number = [&](const char* column) { return line.text(column) == "0" ? 0 : line.positive(column); };
    Row row{line.required("kind"),  line.optional_positive("tokens").value_or(0),
            number("matrix_flops"), number("matrix_flops_per_token"),
            number("other_bytes"),  number("other_bytes_per_token"),
            number("kernels"),      number("small_filters")};
    if (row.small_filters > 1) line.fail("small_filters", "a share of 0 to 1");
    const std::string model = line.required("model");
    if (!rows_.try_emplace(fold_name(model), row).second) line.fail("model", "each network once");
  }
}

bool Workloads::knows(std::string_view model) const { return rows_.count(fold_name(model)) > 0; }

JobWork Workloads::work(std::string_view model, std::string_view unit, double tokens) const {
  auto found = rows_.find(fold_name(model));
  if (found == rows_.end()) found = rows_.find("*" + fold_name(unit));
  if (found == rows_.end()) return {};
  const Row& row = found->second;
  const double length = tokens > 0 ? tokens : row.tokens > 0 ? row.tokens : 1;
  JobWork work;
  work.kind = row.kind;
  work.matrix_flops = kTrainingPasses * length * (row.matrix_flops + row.matrix_flops_per_token * length);
  work.other_bytes = length * (row.other_bytes + row.other_bytes_per_token * length);
  work.small_filter_share = row.small_filters;
  work.kernels = row.kernels;
  return work;
}

GainTargets gain_targets(const std::vector<PublishedPair>& pairs, const Workloads& workloads,
                         const ModelProfiles& profiles) {
  GainTargets result;
  PublishedMachines machines;
  for (const PublishedPair& pair : pairs) {
    const ModelProfile* profile = profiles.find(pair.model);
    const double units = mentions(pair.unit, "token") && profile ? profile->units_per_sample : 1;
    const double tokens = pair.sequence_length > 0 ? pair.sequence_length : units > 1 ? units : 0;
    JobWork work = workloads.work(pair.model, unit_of(pair).samples, tokens);
    work.parameters = profile ? profile->parameters : kUsualParameters;
    const std::string fault = fault_of(pair, machines, work);
    if (const std::string assumption = assumption_of(pair, workloads, profile); fault.empty() && !assumption.empty())
      result.assumed.push_back({pair.id, pair.line, assumption});
    if (fault.empty())
      result.targets.push_back(target_of(pair, machines.find(pair.topology), work, units));
    else
      result.skipped.push_back({pair.id, pair.line, fault});
  }
  return result;
}

}  // namespace dtbench
