#include "reports/quantity_text.h"

#include <gtest/gtest.h>

#include "reports/comparison.h"

namespace dtbench {
namespace {

TEST(QuantityText, ShowsNoDigitBelowTheUncertainty) {
  EXPECT_EQ(seconds_text({0.012345, 0.0113, 0.0134}), (BandText{"12.3 ms", "11.3..13.4"}));
  EXPECT_EQ(seconds_text({0.012345, 0.0083, 0.0163}), (BandText{"12 ms", "8..16"}));
  EXPECT_EQ(rate_text({41236, 33100, 52400}), (BandText{"41 k", "33..52"}));
}

TEST(QuantityText, ShowsTwoToFourSignificantDigits) {
  EXPECT_EQ(seconds_text({0.012, 0.001, 0.09}).value, "12 ms");
  EXPECT_EQ(seconds_text({0.01234567, 0.01234566, 0.01234568}).value, "12.35 ms");
}

TEST(QuantityText, RoundsToTensWhenOnesAreNotKnown) {
  EXPECT_EQ(rate_text({1847, 1410, 2310}), (BandText{"1800", "1400..2300"}));
}

TEST(QuantityText, NeverWritesAThousandOfASmallerUnit) {
  EXPECT_EQ(seconds_text({0.0009999, 0.0009999, 0.0009999}).value, "1.00 ms");
  EXPECT_EQ(rate_text({999800, 999800, 999800}).value, "1.00 M");
}

TEST(QuantityText, WithoutABandShowsThreeDigitsAndNoRange) {
  EXPECT_EQ(factor_text({1, 1, 1}), (BandText{"1.00", ""}));
  EXPECT_EQ(percent_text({1, 1, 1}), (BandText{"100 %", ""}));
  EXPECT_EQ(seconds_text({0, 0, 0}), (BandText{"0", ""}));
}

TEST(QuantityText, KeepsTheBandOfAnAmountThatIsProbablyZero) {
  EXPECT_EQ(seconds_text({0, 0, 0.002}), (BandText{"0.0 ms", "0.0..2.0"}));
}

TEST(QuantityText, SharesSayWhenTheyAreSmallButNotNothing) {
  EXPECT_EQ(share_text(0), "0 %");
  EXPECT_EQ(share_text(0.0002), "< 0.1 %");
  EXPECT_EQ(share_text(0.0099), "1.0 %");
  EXPECT_EQ(share_text(0.31415), "31 %");
}

TEST(QuantityText, FewRepetitionsGiveTheirRange) {
  const Band band = band_of(measured_from({3, 1, 2}));
  EXPECT_EQ(band.value, 2);
  EXPECT_EQ(band.low, 1);
  EXPECT_EQ(band.high, 3);
}

}  // namespace
}  // namespace dtbench
