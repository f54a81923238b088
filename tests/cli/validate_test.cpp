#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "tests/cli/program.h"

namespace dtbench {
namespace {

using ::testing::ContainsRegex;
using ::testing::HasSubstr;
using Words = std::vector<std::string>;

const std::string kHeader =
    "series,id,source,framework,model,topology,devices,nodes,precision,value,batch_per_device,grad_accum,unit\n"
    "A,a,lab,f,resnet50,1xV100@dgx1,1,1,fp32,400,64,,images/s\n";

std::string written_table(const std::string& name, const std::string& text) {
  const std::string path = temporary_path(name);
  std::ofstream(path) << text;
  return path;
}

Words scaling(Words more) {
  Words words = {"validate", "--kind", "scaling"};
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

std::string refused(const Words& words) {
  const Outcome outcome = dtbench_says(words);
  EXPECT_EQ(outcome.status, 2) << shown(words);
  EXPECT_EQ(outcome.out, "");
  return outcome.err;
}

TEST(Validate, EndsInTheSummaryLine) {
  const Outcome outcome = dtbench_says(scaling({"--cross-validate", "source"}));
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  const std::size_t last = outcome.out.rfind('\n', outcome.out.size() - 2) + 1;
  EXPECT_THAT(outcome.out.substr(last),
              ContainsRegex("^median_abs_error=0\\.[0-9]+ p90_abs_error=[0-9.]+ bias=-?[0-9.]+ coverage=0\\.[0-9]+ "
                            "band=[0-9.]+ n=[0-9]+ skipped=[0-9]+\n$"));
  for (const char* part : {"by source", "by model", "by system", "by devices", "worst rows", "skipped"})
    EXPECT_THAT(outcome.out, HasSubstr(part));
}

TEST(Validate, PredictsTheGainOfMixedPrecisionToo) {
  const Outcome outcome = dtbench_says({"validate", "--kind", "precision", "--max-error", "0.06"});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  for (const char* part : {"by source", "by model", "by system", "worst rows", "skipped", "assumed", " n=582 skipped=42\n"})
    EXPECT_THAT(outcome.out, HasSubstr(part));
}

TEST(Validate, MaxErrorDecidesTheStatus) {
  EXPECT_EQ(dtbench_says(scaling({"--max-error", "0.5", "--quiet"})).status, 0);
  EXPECT_EQ(dtbench_says(scaling({"--max-error", "0.0001", "--quiet"})).status, 1);
}

TEST(Validate, JsonHoldsEveryRow) {
  const std::string data =
      written_table("rows.csv", kHeader + "A,b,lab,f,resnet50,8xV100@dgx1,8,1,fp32,3000,64,,images/s\n"
                                    "B,c,lab,f,resnet50,8xV100@dgx1,8,1,fp32,3000,64,,images/s\n");
  const Outcome outcome = dtbench_says(scaling({"--data", data, "--json", "-"}));
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  const auto report = nlohmann::json::parse(outcome.out);
  EXPECT_EQ(report.at("schema"), "dtbench.validate/1");
  ASSERT_EQ(report.at("rows").size(), 1u);
  EXPECT_EQ(report.at("rows").at(0).at("measured"), 3000);
  EXPECT_EQ(report.at("skipped").at(0).at("id"), "c");
}

TEST(Validate, FitWritesWhatPredictionReads) {
#ifdef __SANITIZE_ADDRESS__
  GTEST_SKIP() << "the fit takes minutes without optimisation";
#endif
  const std::string path = temporary_path("fit.json");
  const Outcome outcome = dtbench_says(scaling({"--fit", path}));
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  std::ifstream stream(path);
  EXPECT_EQ(nlohmann::json::parse(stream).at("schema"), "dtbench.training_jobs/1");
}

TEST(Validate, SaysWhatIsWrongWithTheRequest) {
  EXPECT_THAT(refused({"validate", "--kind", "scalign"}), HasSubstr("did you mean 'scaling'?"));
  EXPECT_THAT(refused(scaling({"--cross-validate", "modle"})), HasSubstr("did you mean 'model'?"));
  EXPECT_THAT(refused(scaling({"--max-error", "-1"})), HasSubstr("--max-error"));
  EXPECT_THAT(refused(scaling({"--data", "/nowhere.csv"})), HasSubstr("no such file"));
  EXPECT_THAT(refused(scaling({"--fit", "x.json", "--max-error", "1"})), HasSubstr("--fit"));
}

TEST(Validate, SaysWhatIsWrongWithTheTable) {
  const auto said = [](const std::string& name, const std::string& text) {
    return refused(scaling({"--data", written_table(name, text)}));
  };
  EXPECT_THAT(said("a.csv", "series,id\n"), HasSubstr("a.csv:1: no column 'source'"));
  EXPECT_THAT(said("b.csv", kHeader + "A,b,lab,f,resnet50,8xV100@dgx1,eight,1,fp32,3000,64,,images/s\n"),
              HasSubstr("b.csv:3, column 'devices': 'eight'; expected a number above 0"));
  EXPECT_THAT(said("c.csv", kHeader + "A,\"b\n"), HasSubstr("c.csv:3: a quote that nothing closes"));
  EXPECT_THAT(said("d.csv", ""), HasSubstr("no lines"));
}

}  // namespace
}  // namespace dtbench
