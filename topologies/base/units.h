// Units: words for sizes, counts and times, read and written in one place.
//
// GB = 1e9 bytes, GiB = 2^30 bytes; bandwidths are bytes per second in one direction; times are seconds.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace dtbench {

inline constexpr double kKilo = 1e3, kMega = 1e6, kGiga = 1e9, kTera = 1e12;
inline constexpr std::int64_t kKiB = std::int64_t{1} << 10, kMiB = std::int64_t{1} << 20, kGiB = std::int64_t{1} << 30;

/// "25MiB", "1 GB", "4096", "1e6": a size in bytes. `where` names the option or place for the message.
std::int64_t parse_bytes(std::string_view text, std::string_view where);
/// "20s", "1.5min", "200ms", "2h", "20" (seconds). Finite and not negative.
double parse_seconds(std::string_view text, std::string_view where);
/// A whole number >= minimum, written in decimal; anything else is a bad-input error that names `where`.
std::int64_t parse_integer(std::string_view text, std::string_view where, std::int64_t minimum);
/// A finite number.
double parse_number(std::string_view text, std::string_view where);

std::string format_bytes(double bytes);            ///< "1.36 GB"
std::string format_seconds(double seconds);        ///< "12.3 ms", "1.21 s", "3.4 us"
std::string format_rate(double bytes_per_second);  ///< "230 GB/s"
std::string format_count(double count);            ///< "25.6 M", "1234"

/// a * b for sizes; a bad-input error naming `where` when it does not fit in 63 bits.
std::int64_t checked_multiply(std::int64_t a, std::int64_t b, std::string_view where);

}  // namespace dtbench
