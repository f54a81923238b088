#include "topologies/base/error.h"

#include <gtest/gtest.h>

namespace dtbench {
namespace {

TEST(Error, SaysWhereFoundExpectedAndHintInThisOrder) {
  const Error error(ExitCode::bad_input, {"--devices", "'x'", "a number", "try 1"});
  EXPECT_STREQ(error.what(), "--devices: 'x'; expected a number (try 1)");
}

TEST(Error, LeavesOutEmptyClausesAndTheirSeparators) {
  const auto message = [](ErrorParts parts) { return std::string(Error(ExitCode::bad_input, parts).what()); };
  EXPECT_EQ(message({"file.json", "a directory", "", ""}), "file.json: a directory");
  EXPECT_EQ(message({"", "nothing", "", ""}), "nothing");
  EXPECT_EQ(message({"--x", "", "y", ""}), "--x; expected y");
  EXPECT_EQ(message({"--x", "", "", "say y"}), "--x (say y)");
}

TEST(Error, BadInputCarriesExitCodeTwoAndItsParts) {
  try {
    throw_bad_input({"a", "b", "c", "d"});
  } catch (const Error& error) {
    EXPECT_EQ(static_cast<int>(error.code()), 2);
    EXPECT_EQ(error.parts().found, "b");
    EXPECT_EQ(error.parts().hint, "d");
  }
}

TEST(CheckDeathTest, AbortsWithConditionAndPlace) {
  EXPECT_DEATH(DTBENCH_CHECK(1 + 1 == 3), "'1 \\+ 1 == 3' does not hold at .*error_test.cpp:");
}

TEST(Check, EvaluatesItsConditionOnce) {
  int evaluated = 0;
  DTBENCH_CHECK(++evaluated > 0);
  EXPECT_EQ(evaluated, 1);
}

}  // namespace
}  // namespace dtbench
