#include "sim/model/uncertainty.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <string>
#include <string_view>

#include "topologies/base/error.h"

namespace dtbench {

namespace {

/// ln standard deviation added per e-fold of distance from the measured sizes.
constexpr double kSlopeLnSd = 0.15;
/// Far enough beyond the points to hold every call.
constexpr double kBeyond = 1e6;

constexpr double kUnlimited = std::numeric_limits<double>::infinity();

std::uint64_t mixed(std::uint64_t value) {  // splitmix64
  value += 0x9e3779b97f4a7c15u;
  value = (value ^ (value >> 30)) * 0xbf58476d1ce4e5b9u;
  value = (value ^ (value >> 27)) * 0x94d049bb133111ebu;
  return value ^ (value >> 31);
}

double uniform(std::uint64_t bits) { return (double(bits >> 11) + 0.5) / 9007199254740992.0; }

/// Standard normal numbers, one for each name.
class Draw {
 public:
  Draw(std::uint64_t seed, int index) : state_(mixed(mixed(seed) + std::uint64_t(index))) {}
  double normal(std::string_view name) const {
    std::uint64_t hash = 0xcbf29ce484222325u;  // FNV-1a
    for (const char c : name) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
    const std::uint64_t first = mixed(state_ ^ hash), second = mixed(first);
    return std::sqrt(-2 * std::log(uniform(first))) * std::cos(2 * std::numbers::pi * uniform(second));
  }

 private:
  std::uint64_t state_;
};

bool measured_here(Origin origin) { return origin == Origin::measured || origin == Origin::fitted; }

/// Name under which a parameter is drawn: its own when it was measured, its family's when it was guessed.
std::string drawn_as(Origin origin, const std::string& own, const std::string& family) {
  return measured_here(origin) ? own : family;
}

void draw(Parameter& parameter, const Draw& draw, const std::string& name, double most = kUnlimited) {
  const double nominal = parameter.value;
  parameter.value = std::min(nominal * std::exp(draw.normal(name) * parameter.ln_sd), std::max(most, nominal));
}

void draw(RateCurve& curve, const Draw& draw, const std::string& name, double most) {
  const double factor = std::exp(draw.normal(name) * curve.ln_sd);
  const double below = std::exp(draw.normal(name + "/below") * kSlopeLnSd * std::log(kBeyond));
  const double beyond = std::exp(draw.normal(name + "/beyond") * kSlopeLnSd * std::log(kBeyond));
  for (RateCurve::Point& point : curve.points) point.rate = std::min(point.rate * factor, std::max(most, point.rate));
  const RateCurve::Point first = curve.points.front(), last = curve.points.back();
  curve.points.insert(curve.points.begin(),
                      {first.work / kBeyond, std::min(first.rate * below, std::max(most, first.rate))});
  curve.points.push_back({last.work * kBeyond, std::min(last.rate * beyond, std::max(most, last.rate))});
}

double peak_flops(const DeviceSpec& device, const std::string& op_key) {
  if (device.kind == DeviceKind::cpu) return kUnlimited;
  for (const auto& [arithmetic, peak] : device.peak_flops)
    if (op_key.ends_with("/" + std::string(name_of(arithmetic)))) return peak;
  return kUnlimited;
}

/// A host's shared memory is no cable: what caches deliver has no data sheet.
double most_efficiency(const Topology& topology) {
  return topology.within_node.wiring == Wiring::shared_memory ? kUnlimited : 1;
}

void draw_op(OpCalibration& op, const Draw& random, const std::string& key, const DeviceSpec& device) {
  draw(op.overhead_seconds, random, drawn_as(op.overhead_seconds.origin, key + "/overhead", "overheads"));
  if (op.flop_rate)
    draw(*op.flop_rate, random, drawn_as(op.flop_rate->origin, key + "/flop_rate", "rates"), peak_flops(device, key));
  const double memory = device.kind == DeviceKind::cpu ? kUnlimited : device.memory_bandwidth;
  if (op.byte_rate) draw(*op.byte_rate, random, drawn_as(op.byte_rate->origin, key + "/byte_rate", "rates"), memory);
}

void draw_link(LinkCalibration& link, const Draw& random, const std::string& key, double most) {
  draw(link.launch_seconds, random, drawn_as(link.launch_seconds.origin, key + "/launch", key + "/latency"));
  draw(link.alpha_seconds, random, drawn_as(link.alpha_seconds.origin, key + "/alpha", key + "/latency"));
  draw(link.efficiency, random, key + "/efficiency", most);
}

}  // namespace

Calibration drawn_calibration(const Calibration& nominal, const Topology& topology, std::uint64_t seed, int index) {
  const Draw random(seed, index);
  Calibration drawn = nominal;
  for (auto& [key, op] : drawn.ops) draw_op(op, random, key, topology.device);
  for (auto& [key, link] : drawn.links) draw_link(link, random, key, most_efficiency(topology));
  draw(drawn.step_overhead_seconds, random, "step_overhead");
  draw(drawn.overlap_slowdown, random, "overlap_slowdown", 1);
  draw(drawn.crowding, random, "crowding");
  drawn.crowding.value = std::max(drawn.crowding.value, 1.0);
  return drawn;
}

double quantile(std::vector<double> values, double q) {
  DTBENCH_CHECK(!values.empty());
  const std::size_t rank = std::min(values.size() - 1, std::size_t(q * double(values.size())));
  std::nth_element(values.begin(), values.begin() + std::ptrdiff_t(rank), values.end());
  return values[rank];
}

}  // namespace dtbench
