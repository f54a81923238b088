// From step times to throughput, speed-up and efficiency over device counts.
//
// The base is the point with the fewest devices, b of them. With throughput T(n) = global batch / step time,
//   speedup(n) = b T(n) / T(b)      efficiency(n) = speedup(n) / n
// so that the base has efficiency 1 and, for b = 1, speedup 1. In weak scaling (batch per replica fixed) efficiency is
// t(b) / t(n); in strong scaling (global batch fixed) it is b t(b) / (n t(n)).
//
// Intervals. The uncertainty of a prediction is mostly that of the compute rate, which all device counts share, so the
// bands of t(b) and t(n) must not be treated as independent: two bands of 30 % would give speed-ups of 60 % uncertainty
// where the true uncertainty is that of the communication. With step-time samples drawn from the same parameters at
// every device count, the interval is that of the ratios, draw by draw. Without them: t(n) = w t(b) + x, with w t(b)
// the base's work per device and x, independent of t(b), what scaling adds. With phi = w t(b) / t(n) (the efficiency,
// at most 1) and the half-widths h of the logarithms,
//   h(efficiency)^2 = (1 - phi)^2 h(t(b))^2 + max(0, h(t(n))^2 - phi^2 h(t(b))^2)
// exact to first order in h for that model. To both comes, in squares, kScalingNoise. The upper end is capped at
// `kBestEfficiency`, since nothing published is much faster than linear, unless the predicted value itself is above it.
// Measured speed-ups are ratios of medians.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "reports/run_result.h"

namespace dtbench {

/// Largest upper end of a predicted efficiency whose value is below it.
inline constexpr double kBestEfficiency = 1.03;

/// Half-width of the logarithm that no predicted efficiency falls below: published series that scale linearly still
/// scatter by 2 to 3 %.
inline constexpr double kScalingNoise = 0.025;

enum class ScalingKind { weak, strong, mixed };
std::string_view name_of(ScalingKind kind);

/// weak: the same batch per replica at every point; strong: the same global batch; one point alone is weak.
ScalingKind scaling_kind(std::span<const Point> points);

/// Device count -> predicted step times, draw k made with the same parameters at every count.
using StepSamples = std::map<int, std::vector<double>>;

/// Sorts the points by devices and fills samples_per_second, speedup and efficiency from step_seconds and the batches.
/// What can't be derived is left out, with the reason. `samples` may lack counts; those that it has are equally many.
void derive_scaling(std::vector<Point>& points, const StepSamples& samples = {});

/// Of sequence models (those with an option seq-len): samples per second times the tokens of a sample, padding
/// included.
std::optional<Quantity> tokens_per_second(const ModelReport& model, const Point& point);

}  // namespace dtbench
