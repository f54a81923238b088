// What both back ends read off the sums that `batch_norm_statistics` leaves (engine/plan/ops/README.md).
#pragma once

#include <algorithm>
#include <cmath>
#include <span>

namespace dtbench {

class BatchMoments {
 public:
  /// {sum of x, sum of x squared, count}; read anew at each call, since an all-reduce may have added others' to them.
  BatchMoments(std::span<const double> statistics, double epsilon) : statistics_(statistics), epsilon_(epsilon) {}

  std::size_t channels() const { return statistics_.size() / 2; }
  double count() const { return statistics_.back(); }
  double mean(std::size_t channel) const { return count() > 0 ? statistics_[channel] / count() : 0; }
  /// Biased. Rounding may take that of a constant channel below 0.
  double variance(std::size_t channel) const {
    if (!(count() > 0)) return 0;
    const double m = mean(channel), v = statistics_[channels() + channel] / count() - m * m;
    return v < 0 ? 0 : v;  // a NaN stays one
  }
  double inverse_deviation(std::size_t channel) const { return 1 / std::sqrt(variance(channel) + epsilon_); }

  /// Moves running values towards these: the mean, and the unbiased variance (of a single value: the biased one).
  template <class Real>
  void follow(std::size_t channel, double momentum, Real& running_mean, Real& running_variance) const {
    if (!(count() > 0)) return;
    const double unbiased = variance(channel) * (count() / std::max(count() - 1, 1.0));
    running_mean = static_cast<Real>((1 - momentum) * running_mean + momentum * mean(channel));
    running_variance = static_cast<Real>((1 - momentum) * running_variance + momentum * unbiased);
  }

 private:
  std::span<const double> statistics_;
  double epsilon_;
};

}  // namespace dtbench
