// How much of the allowed time is left.
#pragma once

#include <algorithm>
#include <chrono>

namespace dtbench {

class TimeBudget {
 public:
  explicit TimeBudget(double seconds) : start_(std::chrono::steady_clock::now()), seconds_(seconds) {}
  double elapsed() const { return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count(); }
  double remaining() const { return std::max(0.0, seconds_ - elapsed()); }
  /// A budget of its own, starting now: `fraction` of what is left.
  TimeBudget part(double fraction) const { return TimeBudget(fraction * remaining()); }

 private:
  std::chrono::steady_clock::time_point start_;
  double seconds_;
};

}  // namespace dtbench
