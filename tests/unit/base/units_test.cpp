#include "topologies/base/units.h"

#include <gtest/gtest.h>

#include <limits>

#include "topologies/base/error.h"

namespace dtbench {
namespace {

TEST(ParseBytes, TellsDecimalFromBinaryUnits) {
  EXPECT_EQ(parse_bytes("4096", "x"), 4096);
  EXPECT_EQ(parse_bytes("1e6", "x"), 1000000);
  EXPECT_EQ(parse_bytes("25MiB", "x"), 25 * kMiB);
  EXPECT_EQ(parse_bytes("25MB", "x"), 25000000);
  EXPECT_EQ(parse_bytes("25M", "x"), 25 * kMiB);
  EXPECT_EQ(parse_bytes("1.5GB", "x"), 1500000000);
  EXPECT_EQ(parse_bytes("1 gib", "x"), kGiB);
  EXPECT_EQ(parse_bytes("2TB", "x"), 2000000000000);
  EXPECT_EQ(parse_bytes("2TiB", "x"), 2 * 1024 * kGiB);
  EXPECT_EQ(parse_bytes("0", "x"), 0);
}

TEST(ParseBytes, RefusesWhatIsNoSize) {
  for (const char* text :
       {"",      " ",  "MiB",    "-1",   "-1MB",  "1XB",   "1MBs",   "nan",  "inf",         "1e400", "0x10", "1_000",
        "1,5MB", "5-", "5 - MB", "5M.B", "5..MB", "5 M B", "9.3e18", "1e30", "10000000TiB", "+5",    "٣"})
    EXPECT_THROW(parse_bytes(text, "--bucket-bytes"), Error) << text;
}

TEST(ParseBytes, NamesThePlaceAndAnExample) {
  try {
    parse_bytes("25 megs", "--bucket-bytes");
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "--bucket-bytes: '25 megs'; expected a size such as 4096, 25MiB or 1.5GB");
  }
}

TEST(ParseSeconds, KnowsUnitsAndDefaultsToSeconds) {
  EXPECT_DOUBLE_EQ(parse_seconds("20", "x"), 20);
  EXPECT_DOUBLE_EQ(parse_seconds("20s", "x"), 20);
  EXPECT_DOUBLE_EQ(parse_seconds("1.5min", "x"), 90);
  EXPECT_DOUBLE_EQ(parse_seconds("2m", "x"), 120);
  EXPECT_DOUBLE_EQ(parse_seconds("200 ms", "x"), 0.2);
  EXPECT_DOUBLE_EQ(parse_seconds("3us", "x"), 3e-6);
  EXPECT_DOUBLE_EQ(parse_seconds("3ns", "x"), 3e-9);
  EXPECT_DOUBLE_EQ(parse_seconds("2h", "x"), 7200);
}

TEST(ParseSeconds, RefusesWhatIsNoTime) {
  for (const char* text : {"", "-1s", "1x", "inf", "nan", "s", "1-h", "5..s", "20 - s", "1e999"})
    EXPECT_THROW(parse_seconds(text, "--time-budget"), Error) << text;
}

TEST(ParseInteger, TakesWholeDecimalNumbersFromTheMinimum) {
  EXPECT_EQ(parse_integer("8", "x", 1), 8);
  EXPECT_EQ(parse_integer("-3", "x", -5), -3);
  EXPECT_EQ(parse_integer("9223372036854775807", "x", 0), std::numeric_limits<std::int64_t>::max());
  for (const char* text : {"", "0", "-1", "1.0", "1e3", " 8", "8 ", "0x8", "9223372036854775808", "+8", "eight"})
    EXPECT_THROW(parse_integer(text, "--devices", 1), Error) << text;
}

TEST(ParseNumber, TakesFiniteNumbersOnly) {
  EXPECT_DOUBLE_EQ(parse_number("-2.5e-3", "x"), -2.5e-3);
  for (const char* text : {"", "inf", "-nan", "1e999", "1 x", "1,5"})
    EXPECT_THROW(parse_number(text, "--lr"), Error) << text;
}

TEST(FormatBytes, KeepsThreeDigitsAndPicksTheUnitAfterRounding) {
  EXPECT_EQ(format_bytes(0), "0 B");
  EXPECT_EQ(format_bytes(999), "999 B");
  EXPECT_EQ(format_bytes(1000), "1 kB");
  EXPECT_EQ(format_bytes(1.36e9), "1.36 GB");
  EXPECT_EQ(format_bytes(999.4e6), "999 MB");
  EXPECT_EQ(format_bytes(999.6e6), "1 GB");
  EXPECT_EQ(format_bytes(2.5e15), "2500 TB");
  EXPECT_EQ(format_bytes(-2e6), "-2 MB");
  EXPECT_EQ(format_rate(230e9), "230 GB/s");
}

TEST(FormatSeconds, SpansNanosecondsToHours) {
  EXPECT_EQ(format_seconds(3.4e-6), "3.4 us");
  EXPECT_EQ(format_seconds(0.0123), "12.3 ms");
  EXPECT_EQ(format_seconds(1.21), "1.21 s");
  EXPECT_EQ(format_seconds(0.9999), "1 s");
  EXPECT_EQ(format_seconds(90), "90 s");
  EXPECT_EQ(format_seconds(240), "4 min");
  EXPECT_EQ(format_seconds(5400), "1.5 h");
  EXPECT_EQ(format_seconds(2e-9), "2 ns");
  EXPECT_EQ(format_seconds(36e6), "10000 h");
}

TEST(FormatCount, WritesSmallCountsOutAndShortensGreatOnes) {
  EXPECT_EQ(format_count(0), "0");
  EXPECT_EQ(format_count(1234), "1234");
  EXPECT_EQ(format_count(9994), "9994");
  EXPECT_EQ(format_count(9996), "10 k");
  EXPECT_EQ(format_count(25.6e6), "25.6 M");
  EXPECT_EQ(format_count(3e12), "3 T");
  EXPECT_EQ(format_count(7.25), "7.25");
  EXPECT_EQ(format_count(5e16), "50000 T");
}

TEST(CheckedMultiply, RefusesWhatDoesNotFitInsteadOfWrapping) {
  EXPECT_EQ(checked_multiply(3, 4, "x"), 12);
  EXPECT_EQ(checked_multiply(-3, 4, "x"), -12);
  EXPECT_THROW(checked_multiply(std::int64_t{1} << 40, std::int64_t{1} << 23, "--batch"), Error);
  EXPECT_THROW(checked_multiply(std::numeric_limits<std::int64_t>::min(), -1, "--batch"), Error);
}

}  // namespace
}  // namespace dtbench
