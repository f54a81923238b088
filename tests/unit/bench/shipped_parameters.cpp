#include "tests/unit/bench/shipped_parameters.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <fstream>

#include "sim/model/job_parameters.h"
#include "topologies/topology_library.h"

namespace dtbench {

void expect_shipped_parameters(const std::string& json, const std::string& file) {
  const std::string path = ::testing::TempDir() + "fitted_again_" + file;
  std::ofstream(path) << json;
  const JobParameters fitted = job_parameters_from_json_file(path);
  std::remove(path.c_str());
  const JobParameters shipped = job_parameters_from_json_file(data_directory() + "/calibrations/" + file);
  EXPECT_EQ(fitted.observations, shipped.observations);
  EXPECT_NEAR(fitted.band_factor / shipped.band_factor, 1, 0.02);
  EXPECT_NEAR(fitted.holdout_error / shipped.holdout_error, 1, 0.02);
  ASSERT_EQ(fitted.effects.size(), shipped.effects.size());
  for (const auto& [name, effect] : fitted.effects) {
    ASSERT_TRUE(shipped.effects.contains(name)) << name;
    EXPECT_NEAR(effect.value, shipped.effects.at(name).value, 0.02 * effect.belief_sd) << name;
    EXPECT_EQ(effect.belief_sd, shipped.effects.at(name).belief_sd) << name;
  }
}

}  // namespace dtbench
