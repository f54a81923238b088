#include "reports/scaling.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include "reports/statistics.h"
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

double additive_half_width(double own, double base, double phi) {
  const double added = std::max(0., own * own - phi * phi * base * base);
  return std::sqrt((1 - phi) * (1 - phi) * base * base + added);
}

struct HalfWidths {
  double down = 0, up = 0;
};

// From the bands alone; both are throughputs per device.
HalfWidths half_widths_of_bands(const Predicted& base, const Predicted& own) {
  const double phi = std::min(1., own.value / base.value);
  const double base_width = std::max(log_half_width_up(base), log_half_width_down(base));
  return {additive_half_width(log_half_width_down(own), base_width, phi),
          additive_half_width(log_half_width_up(own), base_width, phi)};
}

// Of the draws of base time over own time; a nominal ratio outside their 90 % is its own bound.
HalfWidths half_widths_of_draws(const std::vector<double>& base, const std::vector<double>& own, double nominal) {
  DTBENCH_CHECK(base.size() == own.size());
  std::vector<double> ratios;
  for (std::size_t k = 0; k < own.size(); ++k) ratios.push_back(std::log(base[k] / own[k]));
  const double middle = std::log(nominal);
  return {std::max(0., middle - quantile(ratios, 0.05)), std::max(0., quantile(ratios, 0.95) - middle)};
}

Predicted with_band(double value, const HalfWidths& widths, Origin origin) {
  const double down = std::hypot(widths.down, kScalingNoise), up = std::hypot(widths.up, kScalingNoise);
  return {value, value * std::exp(-down), std::min(value * std::exp(up), std::max(value, kBestEfficiency)), origin};
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

const std::vector<double>* draws_of(const StepSamples& samples, const Point& point) {
  const auto found = samples.find(point.devices);
  return found == samples.end() || found->second.empty() ? nullptr : &found->second;
}

Quantity efficiency(const Point& base, const Point& point, const StepSamples& samples) {
  const Quantity base_rate = scaled(base.samples_per_second, 1. / base.devices);
  const Quantity rate = scaled(point.samples_per_second, 1. / point.devices);
  Quantity result{.predicted = std::nullopt, .measured = std::nullopt, .reason = rate.reason};
  if (rate.predicted && base_rate.predicted) {
    const auto *base_draws = draws_of(samples, base), *draws = draws_of(samples, point);
    const double nominal = rate.predicted->value / base_rate.predicted->value;
    const HalfWidths widths = base_draws && draws ? half_widths_of_draws(*base_draws, *draws, nominal)
                                                  : half_widths_of_bands(*base_rate.predicted, *rate.predicted);
    const Origin origin = std::max(base_rate.predicted->origin, rate.predicted->origin);
    result.predicted = &base == &point ? Predicted{1, 1, 1, origin} : with_band(nominal, widths, origin);
  }
  if (rate.measured && base_rate.measured) result.measured = scaled(*rate.measured, 1 / base_rate.measured->value);
  if (!result.measured && rate.measured)
    result.reason = "not measured at the smallest device count";
  else if (!result.predicted && rate.predicted)
    result.reason = "not predicted at the smallest device count";
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

void derive_scaling(std::vector<Point>& points, const StepSamples& samples) {
  std::stable_sort(points.begin(), points.end(), [](const Point& a, const Point& b) { return a.devices < b.devices; });
  for (Point& point : points) {
    DTBENCH_CHECK(point.devices > 0 && point.global_batch > 0);
    DTBENCH_CHECK(!point.step_seconds.predicted || point.step_seconds.predicted->low > 0);
    DTBENCH_CHECK(!point.step_seconds.measured || point.step_seconds.measured->value > 0);
    point.samples_per_second = throughput(point);
  }
  for (Point& point : points) {
    point.efficiency = efficiency(points.front(), point, samples);
    point.speedup = scaled(point.efficiency, point.devices);
  }
}

std::optional<Quantity> tokens_per_second(const ModelReport& model, const Point& point) {
  const auto length = model.options.find("seq-len");
  if (length == model.options.end()) return std::nullopt;
  return scaled(point.samples_per_second, static_cast<double>(length->second));
}

}  // namespace dtbench
