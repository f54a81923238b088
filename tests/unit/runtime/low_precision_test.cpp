// Against tables of all 65,536 values of a format, decoded with ldexp: nearest, ties to the even last bit.
#include "engine/runtime/low_precision.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <random>
#include <thread>
#include <vector>

#include "engine/runtime/denormals.h"
#include "engine/runtime/visit_dtype.h"

namespace dtbench {
namespace {

struct Format {
  int exponent_bits, fraction_bits;
  int bias() const { return (1 << (exponent_bits - 1)) - 1; }
  int largest_exponent() const { return (1 << exponent_bits) - 1; }
};

template <class T>
constexpr Format format_of = sizeof(T) == 2 && dtype_of<T> == DType::float16 ? Format{5, 10} : Format{8, 7};

double decoded(std::uint16_t bits, const Format& format) {
  const int exponent = (bits & 0x7fff) >> format.fraction_bits;
  const int fraction = bits & ((1 << format.fraction_bits) - 1);
  const double sign = bits & 0x8000 ? -1 : 1;
  if (exponent == format.largest_exponent()) return fraction ? std::nan("") : sign * INFINITY;
  const int whole = exponent == 0 ? fraction : fraction + (1 << format.fraction_bits);
  return sign * std::ldexp(whole, std::max(exponent, 1) - format.bias() - format.fraction_bits);
}

/// The finite magnitudes of a format in order, so that a value's index is its bits; then what rounds to infinity.
template <class T>
std::uint16_t nearest(double magnitude) {
  const Format format = format_of<T>;
  const auto infinity = static_cast<std::uint16_t>(format.largest_exponent() << format.fraction_bits);
  std::uint16_t low = 0, high = infinity;
  while (high - low > 1) {
    const auto middle = static_cast<std::uint16_t>((low + high) / 2);
    (decoded(middle, format) <= magnitude ? low : high) = middle;
  }
  const double below = decoded(low, format);
  const double above = high == infinity ? 2 * below - decoded(static_cast<std::uint16_t>(low - 1), format)
                                        : decoded(high, format);
  if (magnitude - below == above - magnitude) return low % 2 == 0 ? low : high;
  return magnitude - below < above - magnitude ? low : high;
}

template <class T>
class LowPrecision : public ::testing::Test {};
using Types = ::testing::Types<Bfloat16, Float16>;
TYPED_TEST_SUITE(LowPrecision, Types);

// In threads that treat denormal floats as zero too, as those of the engine do: subnormal halves are no denormal floats.
template <class T>
void read_every_value_and_write_it_back() {
  for (int bits = 0; bits <= 0xffff; ++bits) {
    T value;
    value.bits = static_cast<std::uint16_t>(bits);
    const double expected = decoded(value.bits, format_of<T>);
    const float read = value;
    if (std::isnan(expected)) {
      EXPECT_TRUE(std::isnan(read)) << bits;
      EXPECT_TRUE(std::isnan(static_cast<float>(T(read)))) << bits;
    } else {
      const bool subnormal_float = expected != 0 && std::abs(expected) < std::numeric_limits<float>::min();
      if (!subnormal_float) {
        EXPECT_EQ(read, expected) << bits;
      }
      EXPECT_EQ(T(read).bits, value.bits) << bits;
    }
  }
}

TYPED_TEST(LowPrecision, ReadsEveryValueExactlyAndWritesItBack) {
  read_every_value_and_write_it_back<TypeParam>();
  std::thread([] {
    treat_denormals_as_zero();
    read_every_value_and_write_it_back<TypeParam>();
  }).join();
}

TYPED_TEST(LowPrecision, RoundsToNearestEven) {
  std::mt19937 generator(7);
  const auto check = [](std::uint32_t bits) {
    const auto value = std::bit_cast<float>(bits & 0x7fffffffU);
    const std::uint16_t rounded = TypeParam(value).bits, negative = TypeParam(-value).bits;
    if (std::isnan(value)) {
      EXPECT_TRUE(std::isnan(decoded(rounded, format_of<TypeParam>))) << bits;
      return;
    }
    ASSERT_EQ(rounded, nearest<TypeParam>(static_cast<double>(value))) << value;
    ASSERT_EQ(negative, rounded | 0x8000U) << value;
  };
  for (int i = 0; i < 200'000; ++i) check(static_cast<std::uint32_t>(generator()));
  for (std::uint32_t bits = 0; bits < 0x7c00U; ++bits) {
    TypeParam low, high;
    low.bits = static_cast<std::uint16_t>(bits);
    high.bits = static_cast<std::uint16_t>(bits + 1);
    const float tie = (static_cast<float>(low) + static_cast<float>(high)) / 2;
    for (const std::uint32_t neighbour : {0U, 1U, ~0U}) check(std::bit_cast<std::uint32_t>(tie) + neighbour);
  }
  for (const float value : {65504.0F, 65519.99F, 65520.0F, 1e30F, std::numeric_limits<float>::max(), 5.9604645e-8F,
                            2.9802322e-8F, 2.9802326e-8F, INFINITY})
    check(std::bit_cast<std::uint32_t>(value));
}

TEST(VisitDtype, NamesWhereAndWhatIsTaken) {
  const auto bytes = [](auto value) { return sizeof(value); };
  EXPECT_EQ((visit_dtype<float, double, Float16>(DType::float64, "x", bytes)), 8U);
  EXPECT_EQ((visit_dtype<float, double, Float16>(DType::float16, "x", bytes)), 2U);
  try {
    visit_dtype<float, double, Float16>(DType::bfloat16, "layer1/dense", bytes);
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "layer1/dense: bfloat16; expected float32, float64 or float16");
  }
}

}  // namespace
}  // namespace dtbench
