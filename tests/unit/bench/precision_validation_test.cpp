// validate --kind precision: the table's reader, the jobs made of it, and how far off the predictions are.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "bench/validation/kind.h"
#include "bench/validation/precision_jobs.h"
#include "bench/validation/published_data.h"
#include "tests/support/error_message.h"
#include "tests/unit/bench/shipped_parameters.h"

namespace dtbench {
namespace {

const std::string kHeader =
    "pair,source,framework,model,topology,devices,seq_len,base_precision,mixed_precision,base_batch_per_device,"
    "mixed_batch_per_device,base_value,mixed_value,unit\n";

CsvTable table_of(const std::string& lines) { return CsvTable::parse(kHeader + lines, "t.csv", precision_columns()); }

ValidateResult validated(const CsvTable& table, GroupBy left_out) {
  ValidateResult result;
  result.cross_validate = name_of(left_out);
  validation_kind("precision").predict(table, left_out, result);
  summarise(result);
  return result;
}

const CsvTable& published() {
  static const CsvTable table = CsvTable::load(published_data_file("precision.csv"), precision_columns());
  return table;
}

std::string reason_of(const std::string& line) {
  const ValidateResult result = validated(table_of(line), GroupBy::nothing);
  return result.skipped.empty() ? "" : result.skipped.front().reason;
}

TEST(PrecisionTable, PointsAtTheFieldThatIsWrong) {
  EXPECT_EQ(message_of([] {
              read_precision_table(table_of("P,lab,f,m,T4,1,,fp32,mixed_fp16,8,8,0,4,images/s\n"));
            }).rfind("t.csv:2, column 'base_value'", 0),
            0u);
  EXPECT_NE(message_of([] {
              read_precision_table(table_of("P,lab,f,m,T4,x,,fp32,mixed_fp16,8,8,2,4,images/s\n"));
            }).find("column 'devices'"),
            std::string::npos);
}

TEST(PrecisionValidation, SkipsWithItsReason) {
  EXPECT_EQ(reason_of("P,lab,f,resnet50,T4,1,,fp32,mixed_fp16,8,8,2,4,images/s\n"), "");
  EXPECT_EQ(reason_of("P,lab,f,resnet50,T4,1,,fp32,mixed_fp16,,8,2,4,images/s\n"), "no batch is published");
  EXPECT_EQ(reason_of("P,lab,f,resnet50,T4,1,,fp32,mixed_bf16,8,8,2,4,images/s\n"), "T4 has no rate for 'mixed_bf16'");
  EXPECT_EQ(reason_of("P,lab,f,resnet50,2xT4,1,,fp32,mixed_fp16,8,8,2,4,images/s\n"),
            "topology '2xT4' has 2 devices, the row says 1");
  EXPECT_NE(reason_of("P,lab,f,resnet50,T44,1,,fp32,mixed_fp16,8,8,2,4,images/s\n").find("did you mean 'T4'"),
            std::string::npos);
  EXPECT_NE(reason_of("P,lab,f,nothing,T4,1,,fp32,mixed_fp16,8,8,2,4,frobs/s\n").find("'frobs/s'"), std::string::npos);
}

TEST(PrecisionValidation, TakesAnUnknownNetworkForTheTypicalOneOfItsUnit) {
  for (const char* unit : {"images/s", "sequences/s", "sentences/s", "tokens/s", "samples/s", "Msamples/s"}) {
    const ValidateResult result =
        validated(table_of(std::string("P,lab,f,frobnet,V100,1,,fp32,mixed_fp16,4096,4096,200,500,") + unit + "\n"),
                  GroupBy::nothing);
    ASSERT_EQ(result.rows.size(), 1u) << unit;
    ASSERT_EQ(result.assumed.size(), 1u) << unit;
    EXPECT_NE(result.assumed[0].reason.find("'frobnet' is not in workloads.csv"), std::string::npos);
    EXPECT_GT(result.rows[0].predicted, 1.05) << unit;
    EXPECT_LT(result.rows[0].predicted, 6) << unit;
  }
}

// A tensor-core machine gains on every network that is mostly matrix products.
TEST(PrecisionValidation, PredictsAGainForMatrixBoundNetworksOnTensorCores) {
  for (const char* model : {"resnet50", "vgg16", "bert_base", "bert_large", "gpt2", "vit_base_patch16_224"})
    for (const char* machine : {"T4", "V100", "RTX-3090", "A100", "H100", "L4", "4xA100"}) {
      const std::string unit = std::string(model).find("bert") == 0 || model[0] == 'g' ? "sequences/s" : "images/s";
      const std::string devices = machine[0] == '4' ? "4" : "1";
      const ValidateResult result = validated(table_of(std::string("P,lab,f,") + model + "," + machine + "," + devices +
                                                       ",,fp32,mixed_fp16,32,32,1,2," + unit + "\n"),
                                              GroupBy::nothing);
      ASSERT_EQ(result.rows.size(), 1u) << model << " on " << machine;  // a device of a later library
      EXPECT_GT(result.rows[0].predicted, 1.15) << model << " on " << machine;
    }
}

// Figures of the committed parameters and data, with room for a refit.
TEST(PrecisionValidation, StaysAsAccurateAsReported) {
  const ValidateSummary shipped = validated(published(), GroupBy::nothing).summary;
  EXPECT_EQ(shipped.n, 582);
  EXPECT_LT(shipped.median_abs_error, 0.055);
  EXPECT_LT(shipped.p90_abs_error, 0.22);
  EXPECT_GT(shipped.coverage, 0.85);
}

struct Bound {
  GroupBy left_out;
  double median, p90;
};
class LeftOutAccuracy : public testing::TestWithParam<Bound> {};
TEST_P(LeftOutAccuracy, HoldsForGroupsThatTheFitHasNotSeen) {
  const ValidateSummary summary = validated(published(), GetParam().left_out).summary;
  EXPECT_LT(summary.median_abs_error, GetParam().median);
  EXPECT_LT(summary.p90_abs_error, GetParam().p90);
  EXPECT_GT(summary.coverage, 0.8);
  EXPECT_LT(summary.coverage, 0.95);
}
INSTANTIATE_TEST_SUITE_P(Published, LeftOutAccuracy,
                         testing::Values(Bound{GroupBy::system, 0.09, 0.33}, Bound{GroupBy::device, 0.14, 0.38},
                                         Bound{GroupBy::model, 0.155, 0.38}, Bound{GroupBy::source, 0.19, 0.58}));

TEST(PrecisionValidation, TheFitReproducesTheShippedFile) {
  expect_shipped_parameters(validation_kind("precision").fit(published(), "test"), "mixed_precision.json");
}

// What a row does not publish is guessed aloud.
TEST(PrecisionValidation, SaysWhatItAssumes) {
  const ValidateResult result = validated(published(), GroupBy::nothing);
  const auto is_pretraining = [](const RowNote& row) { return row.reason.find("64 passes") != std::string::npos; };
  const auto has_no_profile = [](const RowNote& row) { return row.reason.find("not in models.csv") != std::string::npos; };
  EXPECT_TRUE(std::ranges::any_of(result.assumed, is_pretraining));
  EXPECT_TRUE(std::ranges::any_of(result.assumed, has_no_profile));
}

// A single machine leaves no other to say how wide its band must be: that of a normal distribution, never none.
TEST(PrecisionValidation, OneGroupAloneStillHasABand) {
  const ValidateResult result = validated(table_of("P,lab,f,resnet50,T4,1,,fp32,mixed_fp16,8,8,2,4,images/s\n"
                                                   "Q,lab,f,vgg16,T4,1,,fp32,mixed_fp16,8,8,2,4,images/s\n"),
                                          GroupBy::system);
  ASSERT_EQ(result.rows.size(), 2u);
  for (const ValidateRow& row : result.rows) {
    EXPECT_LT(row.low, 0.95 * row.predicted);
    EXPECT_GT(row.high, 1.05 * row.predicted);
  }
}

TEST(PrecisionValidation, IsDeterministic) {
  const ValidateResult once = validated(published(), GroupBy::source);
  EXPECT_EQ(once.rows, validated(published(), GroupBy::source).rows);
}

}  // namespace
}  // namespace dtbench
