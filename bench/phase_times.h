// How long dtbench itself took, by phase.
#pragma once

#include <map>
#include <string>

#include "bench/time_budget.h"

namespace dtbench {

class PhaseTimes {
 public:
  /// The time since the phase before ended (or since construction) belongs to `phase`.
  void end(const std::string& phase) {
    const double now = clock_.elapsed();
    seconds_[phase] += now - last_;
    last_ = now;
  }
  /// With "total".
  std::map<std::string, double> seconds() const {
    auto all = seconds_;
    all["total"] = clock_.elapsed();
    return all;
  }

 private:
  TimeBudget clock_{0};
  double last_ = 0;
  std::map<std::string, double> seconds_;
};

}  // namespace dtbench
