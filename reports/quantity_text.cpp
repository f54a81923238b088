#include "reports/quantity_text.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "reports/statistics.h"
#include "topologies/base/error.h"

namespace dtbench {

namespace {

struct Unit {
  double at_least, factor;
  const char* suffix;
};
constexpr Unit kSeconds[] = {{3600, 3600, " h"},  {100, 60, " min"},   {1, 1, " s"},
                             {1e-3, 1e-3, " ms"}, {1e-6, 1e-6, " us"}, {0, 1e-9, " ns"}};
constexpr Unit kRates[] = {{1e9, 1e9, " G"}, {1e6, 1e6, " M"}, {1e4, 1e3, " k"}, {0, 1, ""}};
constexpr Unit kFactor[] = {{0, 1, ""}};
constexpr Unit kPercent[] = {{0, 0.01, " %"}};

int magnitude(double value) { return static_cast<int>(std::floor(std::log10(std::abs(value)))); }

// Position of the last digit that is known: 1 = tenths, 0 = ones, -1 = tens. `size` is of the magnitude shown.
int known_decimals(double size, double half_width) {
  const int two_digits = 1 - magnitude(size), four_digits = 3 - magnitude(size);
  if (half_width <= 0) return two_digits + 1;
  const int first = magnitude(half_width);
  const bool leads_with_one_or_two = half_width / std::pow(10, first) < 2.95;
  return std::clamp(leads_with_one_or_two ? 1 - first : -first, two_digits, four_digits);
}

std::string rounded(double value, int decimals) {
  const double step = std::pow(10, -decimals);
  return fmt::format("{:.{}f}", std::round(value / step) * step, std::max(0, decimals));
}

BandText text_of(const Band& band, std::span<const Unit> units) {
  if (band.high == 0) return {"0", ""};
  // What rounds up to the next unit takes it: "1.00 ms", not "1000 us".
  const double size = (band.value > 0 ? band.value : band.high) * 1.0005;
  const auto unit = std::find_if(units.begin(), units.end() - 1, [&](const Unit& u) { return size >= u.at_least; });
  const double factor = unit->factor;
  const int decimals = known_decimals(size / factor, (band.high - band.low) / factor / 2);
  return {
      rounded(band.value / factor, decimals) + unit->suffix,
      band.low == band.high ? "" : rounded(band.low / factor, decimals) + ".." + rounded(band.high / factor, decimals)};
}

}  // namespace

BandText seconds_text(const Band& band) { return text_of(band, kSeconds); }
BandText rate_text(const Band& band) { return text_of(band, kRates); }
BandText factor_text(const Band& band) { return text_of(band, kFactor); }
BandText percent_text(const Band& band) { return text_of(band, kPercent); }

Band band_of(const Predicted& predicted) { return {predicted.value, predicted.low, predicted.high}; }

Band band_of(const Measured& measured) {
  const std::vector<double>& all = measured.repetitions;
  if (all.empty()) return {measured.value, measured.value, measured.value};
  if (all.size() < 5)
    return {measured.value, *std::min_element(all.begin(), all.end()), *std::max_element(all.begin(), all.end())};
  const ConfidenceInterval interval = bootstrap_median(all);
  return {measured.value, interval.low, interval.high};
}

std::string share_text(double share) {
  DTBENCH_CHECK(share >= 0);
  const double percent = share * 100;
  if (percent == 0) return "0 %";
  if (percent < 0.1) return "< 0.1 %";
  return fmt::format("{:.{}f} %", percent, percent < 9.95 ? 1 : 0);
}

}  // namespace dtbench
