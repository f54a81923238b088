#include "bench/calibration_grid.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "bench/verification.h"

namespace dtbench {
namespace {

bool contains_work(const std::vector<GridSize>& grid, const GridSize& size) {
  return std::any_of(grid.begin(), grid.end(), [&](const GridSize& other) {
    return other.hidden == size.hidden && other.layers == size.layers && other.batch == size.batch;
  });
}

TEST(CalibrationGrid, RunsEverySizeAtEveryReplicaCount) {
  GridRequest request;
  request.replicas = {1, 4};
  const auto grid = calibration_grid(request);
  const auto with = [&](int replicas) {
    return std::count_if(grid.begin(), grid.end(), [&](const GridSize& size) { return size.replicas == replicas; });
  };
  EXPECT_GT(with(1), 0);
  EXPECT_EQ(with(1), with(4));
}

TEST(CalibrationGrid, SpansItsRangeFromTheStart) {
  const auto grid = calibration_grid({});
  const auto narrower = [](const GridSize& a, const GridSize& b) { return a.hidden < b.hidden; };
  const auto all = std::minmax_element(grid.begin(), grid.end(), narrower);
  const auto first = std::minmax_element(grid.begin(), grid.begin() + 4, narrower);
  EXPECT_LE(first.first->hidden, 2 * all.first->hidden);
  EXPECT_EQ(first.second->hidden, all.second->hidden);
}

TEST(CalibrationGrid, NeverRunsWhatIsToBePredicted) {
  const auto whole = calibration_grid({});
  for (const GridSize& size : whole) {
    GridRequest request;
    request.excluded = {size};
    EXPECT_FALSE(contains_work(calibration_grid(request), size));
  }
}

TEST(CalibrationGrid, BeginsAroundTheSizeInQuestionWithoutIt) {
  GridRequest request;
  request.around = request.excluded = {{1024, 3, 128, 1}};
  const auto grid = calibration_grid(request);
  EXPECT_FALSE(contains_work(grid, request.excluded[0]));
  EXPECT_LT(grid[0].hidden, 1024);
  EXPECT_GT(grid[1].hidden, 1024);
  EXPECT_GT(grid[0].hidden, 512);
  EXPECT_LT(grid[1].hidden, 2048);
}

TEST(CalibrationGrid, KeepsWithinMemory) {
  GridRequest request;
  request.around = {{100000, 3, 128, 1}};
  request.largest_bytes = 1e8;
  for (const GridSize& size : calibration_grid(request)) EXPECT_LT(4.0 * 3 * size.hidden * size.hidden, 1e8);
}

TEST(VerificationSizes, AreAllUnseenByTheCalibration) {
  const auto grid = calibration_grid({});
  for (const GridSize& size : verification_sizes({1, 2})) {
    const auto same_width = [&](const GridSize& other) { return other.hidden == size.hidden; };
    EXPECT_TRUE(std::none_of(grid.begin(), grid.end(), same_width)) << size.hidden;
  }
}

}  // namespace
}  // namespace dtbench
