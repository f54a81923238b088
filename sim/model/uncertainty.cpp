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

constexpr double kUnbounded = std::numeric_limits<double>::infinity();

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

/// How many standard deviations the logarithm of a parameter is off in this draw. `own` names the parameter, `family`
/// what errs together with it.
double deviation(const Draw& random, Origin origin, const std::string& own, const std::string& family) {
  const double shared = random.normal(family);
  return measured_here(origin) ? std::numbers::sqrt2 / 2 * (shared + random.normal(own)) : shared;
}

void draw(Parameter& parameter, double deviation, double most = kUnbounded) {
  const double nominal = parameter.value;
  parameter.value = std::min(nominal * std::exp(deviation * parameter.ln_sd), std::max(most, nominal));
}

void draw(RateCurve& curve, const Draw& random, const std::string& name, double most) {
  const double factor = std::exp(deviation(random, curve.origin, name, "rates") * curve.ln_sd);
  const double below = std::exp(random.normal(name + "/below") * kSlopeLnSd * std::log(kBeyond));
  const double beyond = std::exp(random.normal(name + "/beyond") * kSlopeLnSd * std::log(kBeyond));
  for (RateCurve::Point& point : curve.points) point.rate = std::min(point.rate * factor, std::max(most, point.rate));
  const RateCurve::Point first = curve.points.front(), last = curve.points.back();
  curve.points.insert(curve.points.begin(),
                      {first.work / kBeyond, std::min(first.rate * below, std::max(most, first.rate))});
  curve.points.push_back({last.work * kBeyond, std::min(last.rate * beyond, std::max(most, last.rate))});
}

double peak_flops(const DeviceSpec& device, const std::string& op_key) {
  if (device.kind == DeviceKind::cpu) return kUnbounded;
  for (const auto& [arithmetic, peak] : device.peak_flops)
    if (op_key.ends_with("/" + std::string(name_of(arithmetic)))) return peak;
  return kUnbounded;
}

/// A host's shared memory is no cable: what caches deliver has no data sheet.
double most_efficiency(const Topology& topology) {
  return topology.within_node.wiring == Wiring::shared_memory ? kUnbounded : 1;
}

void draw_op(OpCalibration& op, const Draw& random, const std::string& key, const DeviceSpec& device) {
  Parameter& overhead = op.overhead_seconds;
  draw(overhead, deviation(random, overhead.origin, key + "/overhead", "overheads"));
  if (op.flop_rate) draw(*op.flop_rate, random, key + "/flop_rate", peak_flops(device, key));
  const double memory = device.kind == DeviceKind::cpu ? kUnbounded : device.memory_bandwidth;
  if (op.byte_rate) draw(*op.byte_rate, random, key + "/byte_rate", memory);
}

void draw_link(LinkCalibration& link, const Draw& random, const std::string& key, double most) {
  const double latency = random.normal(key + "/latency");
  draw(link.launch_seconds, latency);
  draw(link.alpha_seconds, latency);
  draw(link.efficiency, random.normal(key + "/efficiency"), most);
}

}  // namespace

Calibration drawn_calibration(const Calibration& nominal, const Topology& topology, std::uint64_t seed, int index) {
  const Draw random(seed, index);
  Calibration drawn = nominal;
  for (auto& [key, op] : drawn.ops) draw_op(op, random, key, topology.device);
  for (auto& [key, link] : drawn.links) draw_link(link, random, key, most_efficiency(topology));
  draw(drawn.step_overhead_seconds, random.normal("step_overhead"));
  draw(drawn.parallel_overhead_seconds, random.normal("parallel_overhead"));
  draw(drawn.overlap_slowdown, random.normal("overlap_slowdown"), 1);
  draw(drawn.crowding, random.normal("crowding"));
  drawn.crowding.value = std::max(drawn.crowding.value, 1.0);
  return drawn;
}

}  // namespace dtbench
