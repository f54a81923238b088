#include "bench/validation/precision_jobs.h"

#include <fmt/core.h>

#include <algorithm>
#include <memory>
#include <optional>

#include "engine/cpu/host_probe.h"
#include "topologies/base/suggest.h"
#include "topologies/topology_library.h"

namespace dtbench {

namespace {

/// Forward, and twice as much for the gradients of inputs and weights.
constexpr double kTrainingPasses = 3;
/// The phases of BERT's pre-training run 32 to 512 passes between two optimizer steps.
constexpr double kPretrainingPasses = 64;
/// Of a network that nobody counted.
constexpr double kUsualParameters = 50e6;

bool contains(std::string_view text, std::string_view part) {
  return fold_name(text).find(fold_name(part)) != std::string::npos;
}

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
  return (contains(pair.model, "bert") || contains(pair.model, "electra")) &&
         (pair.sequence_length == 128 || pair.sequence_length == 512);
}

bool looks_at_pictures(const JobWork& work) {
  return work.kind == "convolution" || work.kind == "depthwise" || work.kind == "detection" ||
         work.kind == "segmentation";
}

/// As in scaling_jobs: networks in half precision exchange it, automatic mixed precision keeps float32 gradients.
double bytes_per_parameter(const PublishedPair& pair, const JobWork& work, bool mixed) {
  const bool exchanges_half =
      !looks_at_pictures(work) || contains(pair.framework, "mxnet") || contains(pair.framework, "tf_cnn_benchmarks");
  return mixed && exchanges_half ? 2 : 4;
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

/// Machines by spelling, each looked up once; an unknown one is remembered by its message.
class Machines {
 public:
  struct Known {
    std::optional<Topology> topology;
    ExchangeCost exchange;
    std::string fault;
  };
  const Known& find(const std::string& spelling) {
    const auto [found, fresh] = known_.try_emplace(spelling);
    if (fresh) found->second = look_up(spelling);
    return found->second;
  }

 private:
  Known look_up(const std::string& spelling) const try {
    Topology topology = library_.resolve(spelling, *probe_);
    const ExchangeCost exchange = exchange_cost(topology);
    return {std::move(topology), exchange, ""};
  } catch (const Error& error) {
    return {std::nullopt, {}, error.what()};
  }

  TopologyLibrary library_;
  std::unique_ptr<HostProbe> probe_ = make_host_probe();
  std::map<std::string, Known> known_;
};

/// Why a pair cannot be judged; "" when it can.
std::string fault_of(const PublishedPair& pair, const Machines::Known& machine, const JobWork& work) {
  if (!machine.topology) return machine.fault;
  if (machine.topology->devices() != pair.devices)
    return fmt::format("topology '{}' has {} devices, the row says {}", pair.topology, machine.topology->devices(),
                       pair.devices);
  if (work.kind.empty())
    return fmt::format("model '{}' is not in workloads.csv, and '{}' tells no kind of network", pair.model, pair.unit);
  if (pair.base.batch_per_device == 0 || pair.mixed.batch_per_device == 0) return "no batch is published";
  for (const PublishedSide* side : {&pair.base, &pair.mixed}) {
    const auto arithmetic = arithmetic_of(side->precision, machine.topology->device);
    if (!arithmetic || machine.topology->device.peak_flops.count(*arithmetic) == 0)
      return fmt::format("{} has no rate for '{}'", machine.topology->device.name, side->precision);
  }
  return "";
}

GainTarget target_of(const PublishedPair& pair, const Machines::Known& machine, const JobWork& work, double units) {
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
  Machines machines;
  for (const PublishedPair& pair : pairs) {
    const ModelProfile* profile = profiles.find(pair.model);
    const double units = contains(pair.unit, "token") && profile ? profile->units_per_sample : 1;
    const double tokens = pair.sequence_length > 0 ? pair.sequence_length : units > 1 ? units : 0;
    JobWork work = workloads.work(pair.model, unit_of(pair).samples, tokens);
    work.parameters = profile ? profile->parameters : kUsualParameters;
    const Machines::Known& machine = machines.find(pair.topology);
    const std::string fault = fault_of(pair, machine, work);
    if (fault.empty())
      result.targets.push_back(target_of(pair, machine, work, units));
    else
      result.skipped.push_back({pair.id, pair.line, fault});
  }
  return result;
}

}  // namespace dtbench
