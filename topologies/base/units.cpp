#include "topologies/base/units.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <limits>
#include <span>

#include "topologies/base/error.h"

namespace dtbench {

namespace {

struct Suffix {
  std::string_view name;
  double factor;
};

constexpr Suffix kByteSuffixes[] = {{"", 1},
                                    {"B", 1},
                                    {"KB", 1e3},
                                    {"MB", 1e6},
                                    {"GB", 1e9},
                                    {"TB", 1e12},
                                    {"K", 1024.},
                                    {"KiB", 1024.},
                                    {"M", 1048576.},
                                    {"MiB", 1048576.},
                                    {"G", 1073741824.},
                                    {"GiB", 1073741824.},
                                    {"TiB", 1099511627776.}};
constexpr Suffix kSecondSuffixes[] = {{"", 1},      {"s", 1},     {"sec", 1}, {"ms", 1e-3}, {"us", 1e-6},
                                      {"ns", 1e-9}, {"min", 60.}, {"m", 60.}, {"h", 3600.}};

// Number and suffix of "25 MiB"; the number is empty when the text does not start with one.
std::pair<double, std::string_view> split_number(std::string_view text, bool& ok) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  ok = error == std::errc() && std::isfinite(value);
  std::string_view rest = text.substr(static_cast<std::size_t>(end - text.data()));
  while (!rest.empty() && rest.front() == ' ') rest.remove_prefix(1);
  return {value, rest};
}

bool same_but_for_case(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](unsigned char x, unsigned char y) { return std::tolower(x) == std::tolower(y); });
}

double parse_scaled(std::string_view text, std::string_view where, std::span<const Suffix> suffixes,
                    const char* expected) {
  bool ok = false;
  const auto [value, rest] = split_number(text, ok);
  if (ok && value >= 0)
    for (const Suffix& suffix : suffixes)
      if (same_but_for_case(suffix.name, rest)) return value * suffix.factor;
  throw_bad_input({std::string(where), fmt::format("'{}'", text), expected, ""});
}

struct Scale {
  double at_least;
  double unit;
  const char* name;
};

// Three significant digits with the largest unit that fits, written out where that unit is still too small.
std::string format_scaled(double value, std::span<const Scale> scales) {
  const auto fits = [&](const Scale& scale) { return std::abs(value) >= scale.at_least; };
  const auto found = std::find_if(scales.begin(), scales.end(), fits);
  const Scale& scale = found == scales.end() ? scales.back() : *found;
  const double scaled = value / scale.unit;
  return std::abs(scaled) < 1000 ? fmt::format("{:.3g}{}", scaled, scale.name)
                                 : fmt::format("{:.0f}{}", scaled, scale.name);
}

// Rounded up front, so that 999.9 MB does not print as "1e+03 MB".
double three_digits(double value) {
  if (value == 0 || !std::isfinite(value)) return value;
  const double magnitude = std::pow(10, std::floor(std::log10(std::abs(value))) - 2);
  return std::round(value / magnitude) * magnitude;
}

}  // namespace

std::int64_t parse_bytes(std::string_view text, std::string_view where) {
  const double bytes = parse_scaled(text, where, kByteSuffixes, "a size such as 4096, 25MiB or 1.5GB");
  if (bytes > 9e18) throw_bad_input({std::string(where), fmt::format("'{}'", text), "a size below 9e18 bytes", ""});
  return std::llround(bytes);
}

double parse_seconds(std::string_view text, std::string_view where) {
  return parse_scaled(text, where, kSecondSuffixes, "a time such as 20s, 500ms or 2min");
}

std::int64_t parse_integer(std::string_view text, std::string_view where, std::int64_t minimum) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || value < minimum)
    throw_bad_input(
        {std::string(where), fmt::format("'{}'", text), fmt::format("a whole number of at least {}", minimum), ""});
  return value;
}

double parse_number(std::string_view text, std::string_view where) {
  bool ok = false;
  const auto [value, rest] = split_number(text, ok);
  if (!ok || !rest.empty()) throw_bad_input({std::string(where), fmt::format("'{}'", text), "a finite number", ""});
  return value;
}

std::string format_bytes(double bytes) {
  constexpr Scale kScales[] = {
      {1e12, 1e12, " TB"}, {1e9, 1e9, " GB"}, {1e6, 1e6, " MB"}, {1e3, 1e3, " kB"}, {0, 1, " B"}};
  return format_scaled(three_digits(bytes), kScales);
}

std::string format_seconds(double seconds) {
  constexpr Scale kScales[] = {{3600, 3600, " h"},  {100, 60, " min"},   {1, 1, " s"},
                               {1e-3, 1e-3, " ms"}, {1e-6, 1e-6, " us"}, {0, 1e-9, " ns"}};
  return format_scaled(three_digits(seconds), kScales);
}

std::string format_rate(double bytes_per_second) { return format_bytes(bytes_per_second) + "/s"; }

std::string format_count(double count) {
  constexpr Scale kScales[] = {{1e12, 1e12, " T"}, {1e9, 1e9, " G"}, {1e6, 1e6, " M"}, {1e4, 1e3, " k"}};
  const double rounded = three_digits(count);
  if (std::abs(rounded) < 1e4) return fmt::format("{:.4g}", count);
  return format_scaled(rounded, kScales);
}

std::int64_t checked_multiply(std::int64_t a, std::int64_t b, std::string_view where) {
  std::int64_t product = 0;
  if (__builtin_mul_overflow(a, b, &product))
    throw_bad_input(
        {std::string(where), fmt::format("{} x {}", a, b), "a size that fits in 63 bits", "choose a smaller size"});
  return product;
}

}  // namespace dtbench
