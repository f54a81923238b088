// The tests and estimates against SciPy's (tests/golden/statistics).
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "reports/regression/drift.h"
#include "reports/regression/holm.h"
#include "reports/regression/rank_test.h"
#include "reports/regression/welch_test.h"
#include "topologies/base/json_reader.h"

namespace dtbench {
namespace {

using Values = std::vector<double>;

Json golden(const char* part) { return load_json_file(DTBENCH_GOLDEN_DIRECTORY "/scipy.json").at(part); }

TEST(Golden, RankTest) {
  for (const Json& row : golden("rank")) {
    const RankTest test = mann_whitney(row.at("base").get<Values>(), row.at("changed").get<Values>());
    EXPECT_DOUBLE_EQ(test.u, row.at("u").get<double>());
    const double p_value = row.at("p_value");
    EXPECT_NEAR(test.p_value, p_value, 1e-9 * p_value + 1e-15) << row.at("method") << " n = " << row.at("base").size();
    EXPECT_EQ(test.exact, row.at("method") != "asymptotic");
  }
}

TEST(Golden, Welch) {
  for (const Json& row : golden("welch")) {
    const double p_value = row.at("p_value");
    EXPECT_NEAR(welch_p_value(row.at("base").get<Values>(), row.at("changed").get<Values>()), p_value, 1e-9 * p_value);
  }
}

TEST(Golden, KendallAndTheilSen) {
  for (const Json& row : golden("trend")) {
    const auto values = row.at("values").get<Values>();
    const Drift drift = drift_of(values, {});
    EXPECT_NEAR(drift.p_value, row.at("p_value").get<double>(), 1e-9);
    EXPECT_NEAR(drift.base, row.at("change").get<double>(), 1e-12);
  }
}

TEST(Golden, Holm) {
  for (const Json& row : golden("holm")) {
    const Values adjusted = holm_adjusted(row.at("p_values").get<Values>());
    const auto expected = row.at("adjusted").get<Values>();
    ASSERT_EQ(adjusted.size(), expected.size());
    for (std::size_t i = 0; i < adjusted.size(); ++i) EXPECT_NEAR(adjusted[i], expected[i], 1e-15);
  }
}

}  // namespace
}  // namespace dtbench
