#include "reports/precision_gain.h"

#include <gtest/gtest.h>

#include "reports/terminal.h"
#include "tests/unit/reports/example_result.h"

namespace dtbench {
namespace {

/// The example, and each of its rows `predicted` and `measured` times as fast in bfloat16.
VerifyResult with_bfloat16(double predicted, double measured) {
  VerifyResult result = example_verify();
  for (VerifyRow row : example_verify().rows) {
    row.precision = "mixed_bfloat16";
    row.predicted = {row.predicted.value / predicted, row.predicted.low / predicted, row.predicted.high / predicted,
                     row.predicted.origin};
    for (double& seconds : row.measured.repetitions) seconds /= measured;
    row.measured.value /= measured;
    result.rows.push_back(row);
  }
  summarise(result);
  return result;
}

TEST(PrecisionGains, ComparesRowsThatDifferInPrecisionOnly) {
  VerifyResult result = with_bfloat16(2, 1.6);
  const auto gains = precision_gains(result);
  ASSERT_EQ(gains.size(), 1u);
  EXPECT_EQ(gains[0].model, "mlp");
  EXPECT_EQ(gains[0].precision, "mixed_bfloat16");
  EXPECT_EQ(gains[0].rows, 3u);
  EXPECT_NEAR(gains[0].predicted, 2, 1e-12);
  EXPECT_NEAR(gains[0].measured, 1.6, 1e-12);
  EXPECT_NEAR(gains[0].median_abs_error, 0.25, 1e-12);
  EXPECT_NE(terminal_text(result, {}).find("gain over float32"), std::string::npos);
}

TEST(PrecisionGains, LeavesOutRowsWithoutACounterpart) {
  VerifyResult result = with_bfloat16(2, 2);
  result.rows.front().batch_per_replica = 65;
  EXPECT_EQ(precision_gains(result).front().rows, 2u);
}

TEST(PrecisionGains, AreNoneWithoutAnotherPrecision) {
  EXPECT_TRUE(precision_gains(example_verify()).empty());
  EXPECT_EQ(terminal_text(example_verify(), {}).find("gain over"), std::string::npos);
}

}  // namespace
}  // namespace dtbench
