// What happens to what is printed when standard output is closed, full, or nobody reads it; help and version.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <nlohmann/json.hpp>

#include "tests/cli/program.h"

namespace dtbench {
namespace {

using ::testing::HasSubstr;
using Words = std::vector<std::string>;

const Words kPredict = {"run", "--topology", "8xA100", "--measure", "off"};

TEST(StandardOutput, ClosedIsReportedAsAFailure) {
  const Outcome outcome = dtbench_says(kPredict, StandardOutput::closed);
  EXPECT_EQ(outcome.status, 4);
  EXPECT_THAT(outcome.err, HasSubstr("standard output"));
}

TEST(StandardOutput, ClosedDoesNotMatterWhenNothingIsPrinted) {
  const std::string path = temporary_path("quiet.json");
  const Outcome outcome = dtbench_says({"run", "--topology", "8xA100", "--measure", "off", "--quiet", "--json", path},
                                       StandardOutput::closed);
  EXPECT_EQ(outcome.status, 0) << outcome.err;
}

TEST(StandardOutput, ClosedIsRefusedAtOnceForJson) {
  const Outcome outcome = dtbench_says({"run", "--json", "-"}, StandardOutput::closed);
  EXPECT_EQ(outcome.status, 2);
  EXPECT_THAT(outcome.err, HasSubstr("--json"));
}

TEST(StandardOutput, FullIsReportedAsAFailure) {
  const Outcome outcome = dtbench_says(kPredict, StandardOutput::full);
  EXPECT_EQ(outcome.status, 4);
  EXPECT_THAT(outcome.err, HasSubstr("No space left"));
}

TEST(StandardOutput, AReaderThatLeftIsNoFailure) {
  const Outcome outcome = dtbench_says({"topology", "list"}, StandardOutput::reader_has_left);
  EXPECT_EQ(outcome.status, 0);
  EXPECT_EQ(outcome.err, "");
}

TEST(StandardError, FullOrClosedLeavesTheStatusToSpeak) {
  for (const char* redirection : {" rn 2>/dev/full", " rn 2>&-"}) {
    const int status = std::system((std::string(std::getenv("DTBENCH_PROGRAM")) + redirection).c_str());
    EXPECT_EQ(WIFEXITED(status) ? WEXITSTATUS(status) : -1, 2) << redirection;
  }
}

TEST(Help, ListsCommandsAndExitStatuses) {
  const Outcome outcome = dtbench_says({"--help"});
  EXPECT_EQ(outcome.status, 0);
  for (const char* part : {"run", "calibrate", "verify", "plan-listing", "topology", "Exit status", "bad input"})
    EXPECT_THAT(outcome.out, HasSubstr(part));
}

TEST(Help, OfACommandListsItsOptionsAndTheModelsOwn) {
  const Outcome outcome = dtbench_says({"run", "--help"});
  EXPECT_EQ(outcome.status, 0);
  for (const char* part : {"--topology", "--hidden", "--time-budget", "--json", "--config"})
    EXPECT_THAT(outcome.out, HasSubstr(part));
}

TEST(Version, IsOneLine) {
  const Outcome outcome = dtbench_says({"--version"});
  EXPECT_EQ(outcome.status, 0);
  EXPECT_THAT(outcome.out, ::testing::MatchesRegex("dtbench [0-9]+\\.[0-9]+\\.[0-9]+\n"));
}

TEST(Listings, NameWhatThereIs) {
  EXPECT_THAT(dtbench_says({"topology", "list"}).out, HasSubstr("A100-SXM4-80GB"));
  EXPECT_THAT(dtbench_says({"model", "list"}).out, HasSubstr("mlp"));
  EXPECT_THAT(dtbench_says({"devices"}).out, HasSubstr("cpu"));
  EXPECT_THAT(dtbench_says({"topology", "show", "4x8xV100@dgx1"}).out, HasSubstr("edges:"));
  // (784 + 1) x 8 + (8 + 1) x 10
  EXPECT_THAT(dtbench_says({"model", "show", "mlp", "--hidden", "8", "--layers", "1"}).out, HasSubstr("6370"));
}

TEST(Listings, OfAPlanShowTheCollective) {
  const Outcome outcome = dtbench_says({"plan-listing", "--topology", "8xA100", "--devices", "4"});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("all_reduce"));
}

TEST(Listings, OfATopologyAsJsonReadBack) {
  const Outcome outcome = dtbench_says({"topology", "show", "4x8xV100", "--json"});
  const auto document = nlohmann::json::parse(outcome.out);
  EXPECT_EQ(document.at("schema"), "dtbench.topology/1");
}

}  // namespace
}  // namespace dtbench
