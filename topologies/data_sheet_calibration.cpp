#include "topologies/data_sheet_calibration.h"

#include <fmt/core.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>

#include "topologies/base/json_reader.h"
#include "topologies/base/suggest.h"

namespace dtbench {

namespace {

constexpr const char* kRulesSchema = "dtbench.data_sheet_rules/1";
constexpr double kMicro = 1e-6;

/// No call gets more of a peak than this.
constexpr double kMostOfPeak = 0.95;

/// Fraction of a full rate reached by a call that would take `full_rate_us` at it, times `factor`.
RateCurve fraction_curve(std::vector<JsonReader> points, double full_rate, double factor) {
  RateCurve curve;
  for (JsonReader& point : points) {
    const double microseconds = point.positive("full_rate_us");
    const double fraction = std::min(point.positive("fraction") * factor, kMostOfPeak);
    curve.points.push_back({microseconds * kMicro * full_rate, fraction * full_rate});
    point.finish();
  }
  curve.origin = Origin::data_sheet;
  return curve;
}

RateCurve constant_curve(double rate) { return {{{1.0, rate}, {1e18, rate}}, 0, Origin::data_sheet, ""}; }

/// Factors on fractions of peaks by arithmetic; absent = 1.
using ArithmeticFactors = std::map<Arithmetic, double>;

ArithmeticFactors read_factors(JsonReader reader) {
  ArithmeticFactors factors;
  for (std::size_t i = 0; i < kArithmeticNames.size(); ++i)
    if (const std::string name(kArithmeticNames[i]); reader.has(name))
      factors[static_cast<Arithmetic>(i)] = reader.positive(name);
  reader.finish();
  return factors;
}

double factor_of(const ArithmeticFactors& factors, Arithmetic arithmetic) {
  const auto found = factors.find(arithmetic);
  return found == factors.end() ? 1 : found->second;
}

/// What published training jobs reach of a generation's matrix units, beside all generations.
ArithmeticFactors generation_factors(JsonReader& rules, const DeviceSpec& device) {
  ArithmeticFactors factors;
  if (!rules.has("generations")) return factors;
  JsonReader section = rules.object("generations");
  section.choice("origin", {"fitted"});
  section.string("source");
  for (JsonReader& generation : section.objects("factors")) {
    const bool own = generation.string("architecture") == device.architecture;
    ArithmeticFactors read = read_factors(generation.object("peak_factor"));
    if (own) factors = std::move(read);
    generation.finish();
  }
  section.finish();
  return factors;
}

/// One rule: kinds that behave alike.
class OpRuleReader {
 public:
  explicit OpRuleReader(JsonReader reader)
      : reader_(std::move(reader)),
        kinds_(reader_.strings("kinds")),
        launches_(reader_.number("launches")),
        ln_sd_(reader_.number("ln_sd")),
        source_(reader_.string("source")) {}

  void add_to(Calibration& calibration, const DeviceSpec& device, const ArithmeticFactors& generation) {
    OpCalibration entry;
    entry.overhead_seconds = {launches_ * device.launch_seconds, ln_sd_, Origin::data_sheet, source_};
    if (reader_.has("memory_fraction"))
      entry.byte_rate = described(constant_curve(reader_.positive("memory_fraction") * device.memory_bandwidth));
    if (reader_.has("host_link_fraction"))
      entry.byte_rate = described(constant_curve(reader_.positive("host_link_fraction") * device.host_bandwidth));
    if (!reader_.has("peak_fraction")) {
      add(calibration, entry, "*");
    } else {
      const ArithmeticFactors own =
          reader_.has("arithmetic_factor") ? read_factors(reader_.object("arithmetic_factor")) : ArithmeticFactors();
      for (const auto& [arithmetic, peak] : device.peak_flops) {
        const double factor = factor_of(own, arithmetic) * factor_of(generation, arithmetic);
        entry.flop_rate = described(fraction_curve(reader_.objects("peak_fraction"), peak, factor));
        add(calibration, entry, name_of(arithmetic));
      }
    }
    reader_.finish();
  }

 private:
  RateCurve described(RateCurve curve) const {
    curve.ln_sd = ln_sd_;
    curve.source = source_;
    return curve;
  }
  void add(Calibration& calibration, const OpCalibration& entry, std::string_view arithmetic) const {
    for (const std::string& kind : kinds_) calibration.ops[fmt::format("{}/{}", kind, arithmetic)] = entry;
  }

  JsonReader reader_;
  std::vector<std::string> kinds_;
  double launches_, ln_sd_;
  std::string source_;
};

LinkCalibration read_link_rule(JsonReader& reader) {
  const std::string source = reader.string("source");
  const Origin origin =
      reader.choice("origin", {"data_sheet", "assumed"}) == "assumed" ? Origin::assumed : Origin::data_sheet;
  const double latency_ln_sd = reader.number("latency_ln_sd");
  const double efficiency_ln_sd = reader.number("efficiency_ln_sd");
  LinkCalibration link;
  link.launch_seconds = {reader.number("launch_us") * kMicro, latency_ln_sd, origin, source};
  link.alpha_seconds = {reader.number("alpha_us") * kMicro, latency_ln_sd, origin, source};
  link.efficiency = {reader.positive("efficiency"), efficiency_ln_sd, origin, source};
  std::vector<JsonReader> points = reader.objects("size_factor");
  if (!points.empty()) {
    RateCurve curve{{}, efficiency_ln_sd, origin, source};
    for (JsonReader& point : points) {
      const double megabytes = point.positive("MB"), factor = point.positive("factor");
      curve.points.push_back({megabytes * 1e6, factor});
      point.finish();
    }
    link.size_factor = std::move(curve);
  }
  return link;
}

Parameter read_parameter(JsonReader& parent, const std::string& key, double unit) {
  JsonReader reader = parent.object(key);
  const Parameter parameter{reader.number("value") * unit, reader.number("ln_sd"), Origin::assumed,
                            reader.string("source")};
  reader.finish();
  return parameter;
}

// A hop cannot be faster than the described machine says; the rules know link classes only.
void respect_latency(Calibration& calibration, const Tier& tier) {
  LinkCalibration own = calibration.link(tier.link_class);
  if (own.alpha_seconds.value >= tier.latency_seconds) return;
  own.alpha_seconds.value = tier.latency_seconds;
  own.alpha_seconds.source = "latency of the topology's '" + tier.name + "'";
  calibration.links[tier.link_class] = std::move(own);
}

}  // namespace

Calibration data_sheet_calibration(const DeviceSpec& device, const std::string& rules_path) {
  const Json document = load_json_file(rules_path);
  JsonReader reader(document, rules_path);
  reader.choice("schema", {kRulesSchema});
  Calibration calibration;
  calibration.name = device.name + " data sheet";
  calibration.device = device.name;
  calibration.origin = Origin::data_sheet;
  const ArithmeticFactors generation = generation_factors(reader, device);
  for (JsonReader& rule : reader.objects("ops")) OpRuleReader(std::move(rule)).add_to(calibration, device, generation);
  for (JsonReader& rule : reader.objects("links")) {
    const std::vector<std::string> classes = rule.strings("link_classes");
    const LinkCalibration link = read_link_rule(rule);
    for (const std::string& link_class : classes) calibration.links[link_class] = link;
    rule.finish();
  }
  calibration.step_overhead_seconds = read_parameter(reader, "step_overhead_us", kMicro);
  calibration.overlap_slowdown = read_parameter(reader, "overlap_slowdown", 1);
  calibration.crowding = read_parameter(reader, "crowding", 1);
  reader.finish();
  return calibration;
}

Calibration shipped_calibration(const Topology& topology, const std::string& directory) {
  const std::filesystem::path folder = std::filesystem::path(directory) / "calibrations";
  const std::filesystem::path own = folder / (fold_name(topology.device.name) + ".json");
  if (std::filesystem::exists(own)) return calibration_from_json_file(own.string());
  if (topology.device.kind == DeviceKind::cpu)
    throw_bad_input({fmt::format("topology '{}'", topology.spec), "no calibration for this machine's own devices",
                     "rates measured here, since a CPU has no data sheet that says them",
                     "run `dtbench calibrate`, or let `dtbench run` measure (--measure auto)"});
  Calibration calibration = data_sheet_calibration(topology.device, (folder / "data_sheet.json").string());
  respect_latency(calibration, topology.within_node);
  if (topology.between_nodes) respect_latency(calibration, *topology.between_nodes);
  return calibration;
}

}  // namespace dtbench
