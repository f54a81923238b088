#include "reports/scaling.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "topologies/base/error.h"

namespace dtbench {

namespace {

constexpr std::array<std::string_view, 3> kScalingNames = {"weak", "strong", "mixed"};

Quantity throughput(const Point& point) {
  const Quantity& step = point.step_seconds;
  const auto batch = static_cast<double>(point.global_batch);
  Quantity rate{.predicted = std::nullopt, .measured = std::nullopt, .reason = step.reason};
  if (step.predicted)
    rate.predicted = {batch / step.predicted->value, batch / step.predicted->high, batch / step.predicted->low,
                      step.predicted->origin};
  if (step.measured) {
    rate.measured = Measured{batch / step.measured->value, {}};
    for (const double seconds : step.measured->repetitions) rate.measured->repetitions.push_back(batch / seconds);
  }
  return rate;
}

// Half-widths of the 90 % interval of the logarithm.
double log_half_width_up(const Predicted& p) { return std::log(p.high / p.value); }
double log_half_width_down(const Predicted& p) { return std::log(p.value / p.low); }

double ratio_half_width(double own, double base, double phi) {
  const double added = std::max(0., own * own - phi * phi * base * base);
  return std::sqrt((1 - phi) * (1 - phi) * base * base + added + kScalingNoise * kScalingNoise);
}

// Both are throughputs per device.
Predicted predicted_efficiency(const Predicted& base, const Predicted& own) {
  const double value = own.value / base.value, phi = std::min(1., value);
  const double base_width = std::max(log_half_width_up(base), log_half_width_down(base));
  const double down = ratio_half_width(log_half_width_down(own), base_width, phi);
  const double up = ratio_half_width(log_half_width_up(own), base_width, phi);
  return {value, value * std::exp(-down), std::min(value * std::exp(up), std::max(value, kBestEfficiency)),
          std::max(base.origin, own.origin)};
}

Predicted scaled(Predicted p, double factor) { return {p.value * factor, p.low * factor, p.high * factor, p.origin}; }

Measured scaled(Measured m, double factor) {
  m.value *= factor;
  for (double& repetition : m.repetitions) repetition *= factor;
  return m;
}

Quantity scaled(Quantity q, double factor) {
  if (q.predicted) q.predicted = scaled(*q.predicted, factor);
  if (q.measured) q.measured = scaled(*q.measured, factor);
  return q;
}

Quantity efficiency(const Point& base, const Point& point) {
  const Quantity base_rate = scaled(base.samples_per_second, 1. / base.devices);
  const Quantity rate = scaled(point.samples_per_second, 1. / point.devices);
  Quantity result{.predicted = std::nullopt, .measured = std::nullopt, .reason = rate.reason};
  if (&base == &point) {
    if (rate.predicted) result.predicted = Predicted{1, 1, 1, rate.predicted->origin};
  } else if (rate.predicted && base_rate.predicted) {
    result.predicted = predicted_efficiency(*base_rate.predicted, *rate.predicted);
  }
  if (rate.measured && base_rate.measured) result.measured = scaled(*rate.measured, 1 / base_rate.measured->value);
  if (!result.measured && rate.measured)
    result.reason = std::string("not measured at the smallest device count");
  else if (!result.predicted && rate.predicted)
    result.reason = std::string("not predicted at the smallest device count");
  return result;
}

}  // namespace

std::string_view name_of(ScalingKind kind) { return kScalingNames[static_cast<std::size_t>(kind)]; }

ScalingKind scaling_kind(std::span<const Point> points) {
  const auto same = [&](std::int64_t Point::*batch) {
    return std::all_of(points.begin(), points.end(), [&](const Point& p) { return p.*batch == points.front().*batch; });
  };
  if (same(&Point::batch_per_replica)) return ScalingKind::weak;
  return same(&Point::global_batch) ? ScalingKind::strong : ScalingKind::mixed;
}

void derive_scaling(std::vector<Point>& points) {
  std::stable_sort(points.begin(), points.end(), [](const Point& a, const Point& b) { return a.devices < b.devices; });
  for (Point& point : points) {
    DTBENCH_CHECK(point.devices > 0 && point.global_batch > 0);
    DTBENCH_CHECK(!point.step_seconds.predicted || point.step_seconds.predicted->low > 0);
    DTBENCH_CHECK(!point.step_seconds.measured || point.step_seconds.measured->value > 0);
    point.samples_per_second = throughput(point);
  }
  for (Point& point : points) {
    point.efficiency = efficiency(points.front(), point);
    point.speedup = scaled(point.efficiency, point.devices);
  }
}

}  // namespace dtbench
