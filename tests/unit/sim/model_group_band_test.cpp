#include "sim/model/group_band.h"

#include <gtest/gtest.h>

namespace dtbench {
namespace {

TEST(GroupBand, AGroupCountsOnceHoweverManyRowsItHas) {
  std::vector<GroupResidual> residuals = {{"b", 4}, {"c", 6}};
  for (int i = 0; i < 1000; ++i) residuals.push_back({"a", 1});
  EXPECT_DOUBLE_EQ(group_band_factor(residuals, 0.9, 0.5), 4);
  EXPECT_DOUBLE_EQ(group_band_factor(residuals, 0.9, 1), 6);
}

TEST(GroupBand, TakesTheQuantileInsideAGroup) {
  std::vector<GroupResidual> residuals;
  for (int i = 0; i <= 10; ++i) residuals.push_back({"a", double(i)});
  EXPECT_DOUBLE_EQ(group_band_factor(residuals, 0.9, 0.6), 9);
  EXPECT_EQ(group_band_factor({}, 0.9, 0.6), 0);
}

}  // namespace
}  // namespace dtbench
