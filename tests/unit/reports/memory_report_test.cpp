#include "reports/memory_report.h"

#include <gtest/gtest.h>

namespace dtbench {
namespace {

MemoryReport report_of(std::int64_t total) { return memory_report({.weights = 1, .total = total}, 1000); }

TEST(MemoryReport, IsTightAboveNineTenthsAndRefusesWhatIsLargerThanTheDevice) {
  EXPECT_EQ(report_of(900).verdict, "fits");
  EXPECT_EQ(report_of(901).verdict, "tight");
  EXPECT_EQ(report_of(1000).verdict, "tight");
  EXPECT_EQ(report_of(1001).verdict, "no");
}

TEST(MemoryReport, CarriesEveryComponentOver) {
  const MemoryReport expected{1, 2, 3, 4, 5, 15, 100, "fits"};
  EXPECT_EQ(memory_report({1, 2, 3, 4, 5, 15}, 100), expected);
}

}  // namespace
}  // namespace dtbench
