#include "reports/precision_gain.h"

#include <algorithm>
#include <cmath>

#include "reports/statistics.h"

namespace dtbench {

namespace {

constexpr const char* kBase = "float32";

struct RowGain {
  double predicted, measured;
};

const VerifyRow* base_of(const VerifyRow& row, const VerifyResult& result) {
  const auto same_but_float32 = [&](const VerifyRow& other) {
    return other.precision == kBase && other.model == row.model && other.model_options == row.model_options &&
           other.devices == row.devices && other.batch_per_replica == row.batch_per_replica;
  };
  const auto found = std::find_if(result.rows.begin(), result.rows.end(), same_but_float32);
  return found == result.rows.end() ? nullptr : &*found;
}

std::vector<RowGain> gains_of(const VerifyGroup& group, const VerifyResult& result) {
  std::vector<RowGain> gains;
  for (const VerifyRow& row : group.rows)
    if (const VerifyRow* base = base_of(row, result))
      gains.push_back({base->predicted.value / row.predicted.value, base->measured.value / row.measured.value});
  return gains;
}

template <typename Quantity>
double median_of(const std::vector<RowGain>& gains, Quantity quantity) {
  std::vector<double> values;
  for (const RowGain& gain : gains) values.push_back(quantity(gain));
  return median(values);
}

}  // namespace

std::vector<PrecisionGain> precision_gains(const VerifyResult& result) {
  std::vector<PrecisionGain> all;
  for (const VerifyGroup& group : grouped(result)) {
    if (group.precision == kBase) continue;
    const std::vector<RowGain> gains = gains_of(group, result);
    if (gains.empty()) continue;
    all.push_back({group.model, group.precision, gains.size(),
                   median_of(gains, [](const RowGain& gain) { return gain.predicted; }),
                   median_of(gains, [](const RowGain& gain) { return gain.measured; }),
                   median_of(gains, [](const RowGain& gain) { return std::abs(gain.predicted / gain.measured - 1); })});
  }
  return all;
}

}  // namespace dtbench
