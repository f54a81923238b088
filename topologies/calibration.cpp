#include "topologies/calibration.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "topologies/base/error.h"
#include "topologies/base/suggest.h"

namespace dtbench {

namespace {

constexpr std::array<std::string_view, 4> kOriginNames = {"measured", "fitted", "data_sheet", "assumed"};

template <class Entry>
std::vector<std::string> keys_of(const std::map<std::string, Entry>& entries) {
  std::vector<std::string> keys;
  for (const auto& [key, entry] : entries) keys.push_back(key);
  return keys;
}

std::string place(const Calibration& calibration) { return fmt::format("calibration '{}'", calibration.name); }

}  // namespace

std::string_view name_of(Origin origin) { return kOriginNames[static_cast<std::size_t>(origin)]; }

const OpCalibration& Calibration::op(std::string_view kind, Arithmetic arithmetic) const {
  const std::string exact = fmt::format("{}/{}", kind, dtbench::name_of(arithmetic));
  for (const std::string& key : {exact, fmt::format("{}/*", kind), std::string("*/*")})
    if (const auto found = ops.find(key); found != ops.end()) return found->second;
  throw_bad_input({place(*this), fmt::format("no entry for operation '{}'", exact),
                   ops.empty() ? "operations" : one_of(keys_of(ops)),
                   "choose another precision, or measure the device with `dtbench calibrate`"});
}

const LinkCalibration& Calibration::link(std::string_view link_class) const {
  for (const std::string& key : {std::string(link_class), std::string("*")})
    if (const auto found = links.find(key); found != links.end()) return found->second;
  throw_bad_input({place(*this), fmt::format("no entry for link class '{}'", link_class),
                   links.empty() ? "link classes" : one_of(keys_of(links)), did_you_mean(link_class, keys_of(links))});
}

double rate_at(const RateCurve& curve, double work) {
  const std::vector<RateCurve::Point>& points = curve.points;
  DTBENCH_CHECK(!points.empty());
  if (work <= points.front().work) return points.front().rate;
  if (work >= points.back().work) return points.back().rate;
  const auto above = std::upper_bound(points.begin(), points.end(), work,
                                      [](double value, const RateCurve::Point& point) { return value < point.work; });
  const RateCurve::Point &low = *(above - 1), &high = *above;
  const double part = std::log(work / low.work) / std::log(high.work / low.work);
  return low.rate * std::pow(high.rate / low.rate, part);
}

bool covers(const RateCurve& curve, double work) {
  return !curve.points.empty() && curve.points.front().work <= work && work <= curve.points.back().work;
}

}  // namespace dtbench
