#include "bench/calibration_grid.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "bench/host_sizes.h"
#include "bench/verification.h"
#include "topologies/base/error.h"

namespace dtbench {
namespace {

std::int64_t hidden(const WorkSize& size) { return size.options.at("hidden"); }

bool contains_work(const std::vector<WorkSize>& grid, const WorkSize& size) {
  return std::any_of(grid.begin(), grid.end(), [&](const WorkSize& other) { return same_work(other, size); });
}

WorkSize mlp(std::int64_t width, std::int64_t layers, std::int64_t batch) {
  return {"mlp", {{"hidden", width}, {"layers", layers}}, batch, 1, "float32"};
}

GridRequest every_model() {
  GridRequest request;
  request.scope.models.clear();
  for (const HostSizes& row : host_sizes()) request.scope.models.emplace_back(row.model);
  return request;
}

TEST(CalibrationGrid, RunsEverySizeAtEveryReplicaCount) {
  GridRequest request = every_model();
  request.scope.replicas = {1, 4};
  const auto grid = calibration_grid(request);
  const auto with = [&](int replicas) {
    return std::count_if(grid.begin(), grid.end(), [&](const WorkSize& size) { return size.replicas == replicas; });
  };
  EXPECT_GT(with(1), 0);
  EXPECT_EQ(with(1), with(4));
}

TEST(CalibrationGrid, SpansItsRangeFromTheStart) {
  const auto grid = calibration_grid({});
  const auto narrower = [](const WorkSize& a, const WorkSize& b) { return hidden(a) < hidden(b); };
  const auto all = std::minmax_element(grid.begin(), grid.end(), narrower);
  const auto first = std::minmax_element(grid.begin(), grid.begin() + 4, narrower);
  EXPECT_LE(hidden(*first.first), 2 * hidden(*all.first));
  EXPECT_EQ(hidden(*first.second), hidden(*all.second));
}

TEST(CalibrationGrid, BeginsWithEveryModelAtEveryPrecision) {
  GridRequest request = every_model();
  request.scope.precisions = {"float32", "mixed_bfloat16"};
  const auto grid = calibration_grid(request);
  std::set<std::pair<std::string, std::string>> first;
  for (std::size_t i = 0; i < 2 * request.scope.models.size(); ++i) first.insert({grid[i].model, grid[i].precision});
  EXPECT_EQ(first.size(), 2 * request.scope.models.size());
}

TEST(CalibrationGrid, NeverRunsWhatIsToBePredicted) {
  const auto whole = calibration_grid(every_model());
  for (const WorkSize& size : whole) {
    GridRequest request = every_model();
    request.excluded = {size};
    EXPECT_FALSE(contains_work(calibration_grid(request), size));
  }
}

TEST(CalibrationGrid, BeginsAroundTheSizeInQuestionWithoutIt) {
  GridRequest request;
  request.around = request.excluded = {mlp(1024, 3, 128)};
  const auto grid = calibration_grid(request);
  EXPECT_FALSE(contains_work(grid, request.excluded[0]));
  EXPECT_LT(hidden(grid[0]), 1024);
  EXPECT_GT(hidden(grid[1]), 1024);
  EXPECT_GT(hidden(grid[0]), 512);
  EXPECT_LT(hidden(grid[1]), 2048);
}

TEST(CalibrationGrid, RefusesAModelWithoutSizes) {
  GridRequest request;
  request.scope.models = {"mpl"};
  try {
    calibration_grid(request);
    FAIL() << "planned";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::bad_input);
    EXPECT_NE(std::string(error.what()).find("mlp"), std::string::npos);
  }
}

TEST(SameWork, FillsInTheDefaultsOfTheModel) {
  EXPECT_TRUE(same_work(mlp(2048, 4, 8), {"mlp", {}, 8, 2, "float32"}));
  EXPECT_FALSE(same_work(mlp(2048, 4, 8), {"mlp", {}, 9, 1, "float32"}));
  EXPECT_FALSE(same_work(mlp(2048, 4, 8), {"mlp", {}, 8, 1, "mixed_bfloat16"}));
}

TEST(HostSizes, BuildAndAreUnseenByTheCalibration) {
  for (const HostSizes& row : host_sizes()) {
    WorkScope scope;
    scope.models = {std::string(row.model)};
    GridRequest request;
    request.scope.models = scope.models;
    const auto grid = calibration_grid(request);
    for (const WorkSize& size : verification_sizes(scope)) {
      EXPECT_FALSE(contains_work(grid, size)) << text_of(size);
      EXPECT_GT(build_model(size.model, size.options, size.batch).ops.size(), 0u);
    }
    for (const WorkSize& size : grid) EXPECT_GT(build_model(size.model, size.options, size.batch).ops.size(), 0u);
  }
}

TEST(HostSizes, HaveNeighboursThatBuild) {
  for (const HostSizes& row : host_sizes())
    for (const SizeShape& shape : row.verification)
      for (const SizeShape& neighbour : neighbours(row.model, shape))
        EXPECT_GT(build_model(row.model, neighbour.options, neighbour.batch).ops.size(), 0u) << row.model;
}

TEST(HostSizes, HaveNeighboursWhoseOtherOptionsFollow) {
  for (const SizeShape& neighbour : neighbours("bert_mini", {{}, 8})) {
    const ModelOptions options = complete_options("bert_mini", neighbour.options);
    EXPECT_NE(options.at("hidden"), 256);
    EXPECT_EQ(options.at("intermediate"), 4 * options.at("hidden"));
    EXPECT_EQ(options.at("layers"), 2);
  }
}

TEST(HostSizes, OfAPresetAreItsFamilysUnlessItHasItsOwn) {
  EXPECT_EQ(host_sizes_of("gpt_small").model, "gpt");
  EXPECT_EQ(host_sizes_of("resnet50").model, "resnet");
  EXPECT_EQ(host_sizes_of("resnet8").model, "resnet8");
}

TEST(VerificationSizes, HaveOtherWidthsThanTheCalibration) {
  const auto grid = calibration_grid({});
  for (const WorkSize& size : verification_sizes({})) {
    const auto same_width = [&](const WorkSize& other) { return hidden(other) == hidden(size); };
    EXPECT_TRUE(std::none_of(grid.begin(), grid.end(), same_width)) << text_of(size);
  }
}

}  // namespace
}  // namespace dtbench
