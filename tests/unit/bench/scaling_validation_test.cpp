// How well published scaling is predicted, with a margin: a change that makes it worse is noticed here.
#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "bench/validation/kind.h"
#include "bench/validation/published_data.h"
#include "bench/validation/scaling_jobs.h"
#include "engine/plan/models/model.h"
#include "tests/unit/bench/shipped_parameters.h"

namespace dtbench {
namespace {

CsvTable published_scaling() { return CsvTable::load(published_data_file("scaling.csv"), scaling_columns()); }

ValidateResult validated(GroupBy left_out) {
  ValidateResult result;
  result.cross_validate = name_of(left_out);
  validation_kind("scaling").predict(published_scaling(), left_out, result);
  summarise(result);
  return result;
}

TEST(ScalingValidation, MachinesLeftOutOfTheFit) {
  const ValidateResult result = validated(GroupBy::system);
  EXPECT_GE(result.summary.n, 690);
  EXPECT_LE(result.summary.median_abs_error, 0.036);
  EXPECT_LE(result.summary.p90_abs_error, 0.19);
  EXPECT_GE(result.summary.coverage, 0.85);
  EXPECT_LE(result.summary.coverage, 0.95);
  EXPECT_LE(result.summary.band, 0.12);
  EXPECT_LE(std::abs(result.summary.bias), 0.02);
  EXPECT_LT(result.summary.median_abs_error, result.baselines.at("linear scaling").median_abs_error / 1.5);
  EXPECT_LT(result.summary.p90_abs_error, result.baselines.at("linear scaling").p90_abs_error / 1.5);
  for (const ValidateGroup& group : result.groups)
    if (group.by == "system") {
      EXPECT_GE(group.summary.coverage, 0.5) << group.name;
    }
}

TEST(ScalingValidation, ModelsLeftOutOfTheFit) {
  const ValidateResult result = validated(GroupBy::model);
  EXPECT_LE(result.summary.median_abs_error, 0.031);
  EXPECT_LE(result.summary.p90_abs_error, 0.15);
  EXPECT_GE(result.summary.coverage, 0.85);
}

TEST(ScalingValidation, SourcesLeftOutOfTheFit) {
  const ValidateResult result = validated(GroupBy::source);
  EXPECT_LE(result.summary.median_abs_error, 0.048);
  EXPECT_LE(result.summary.p90_abs_error, 0.27);
  EXPECT_GE(result.summary.coverage, 0.82);
}

TEST(ScalingValidation, ShippedParameters) {
  const ValidateResult result = validated(GroupBy::nothing);
  EXPECT_LE(result.summary.median_abs_error, 0.02);
  EXPECT_LE(result.summary.p90_abs_error, 0.11);
}

TEST(ScalingValidation, IsDeterministic) {
  EXPECT_EQ(validated(GroupBy::source).rows, validated(GroupBy::source).rows);
}

TEST(ScalingValidation, TheFitReproducesTheShippedFile) {
  expect_shipped_parameters(validation_kind("scaling").fit(published_scaling(), "test"), "training_jobs.json");
}

TEST(ScalingValidation, BandsHoldTheirValueAndStayBelowLinear) {
  const ScalingTable table = read_scaling_table(published_scaling());
  std::map<std::string, double> linear;
  for (const ScalingTarget& target : scaling_targets(table, published_model_profiles()).targets)
    linear[target.row->id] = target.linear;
  for (const ValidateRow& row : validated(GroupBy::system).rows) {
    EXPECT_LE(row.low, row.predicted) << row.id;
    EXPECT_GE(row.high, row.predicted) << row.id;
    EXPECT_LE(row.predicted, 1.031 * linear.at(row.id)) << row.id;
    EXPECT_GT(row.low, 0) << row.id;
  }
}

TEST(ScalingJobs, ProfilesAgreeWithTheNetworksThatCanBeBuilt) {
  const ModelProfiles profiles(CsvTable::load(published_data_file("models.csv"), {"model", "parameters"}));
  for (const char* model : {"resnet50", "resnet152", "vgg16", "alexnet", "bert_base", "bert_large"}) {
    ASSERT_NE(profiles.find(model), nullptr) << model;
    const double built = double(build_model(model, {}, 1).parameter_count());
    EXPECT_NEAR(profiles.find(model)->parameters / built, 1, 0.03) << model;
  }
}

PublishedRow row_with(const std::string& framework, const std::string& task, const std::string& precision) {
  PublishedRow row;
  row.framework = framework;
  row.task = task;
  row.precision = precision;
  return row;
}

TEST(ScalingJobs, HalfPrecisionIsExchangedWhereGradientsAreHalf) {
  EXPECT_EQ(gradient_bytes_per_parameter(row_with("PyTorch", "image classification", "mixed_fp16")), 4);
  EXPECT_EQ(gradient_bytes_per_parameter(row_with("MXNet", "image classification", "mixed_fp16")), 2);
  EXPECT_EQ(gradient_bytes_per_parameter(row_with("PyTorch", "fine-tuning", "mixed_fp16")), 2);
  EXPECT_EQ(gradient_bytes_per_parameter(row_with("PyTorch", "fine-tuning", "tf32")), 4);
}

TEST(ScalingJobs, LabelsComeFromTheRow) {
  PublishedRow row = row_with("TensorFlow1.15 (tf_cnn_benchmarks)", "image classification", "fp32");
  row.notes = "x; variable_update=parameter_server/cpu; y";
  row.dataset = "synthetic ImageNet";
  const JobLabels labels = job_labels(row);
  EXPECT_EQ(labels.framework, "TensorFlow1.15 (tf_cnn_benchmarks) parameter_server/cpu");
  EXPECT_EQ(labels.framework_family, "tensorflow");
  EXPECT_FALSE(labels.decodes_real_data);
}

TEST(ScalingJobs, RowsThatCannotBeJudgedSayWhy) {
  const std::string header =
      "series,id,source,framework,model,topology,devices,nodes,precision,value,batch_per_device,grad_accum,unit\n";
  const auto reasons = [&](const std::string& lines) {
    const CsvTable table = CsvTable::parse(header + lines, "t.csv", scaling_columns());
    const ScalingTable read = read_scaling_table(table);
    const ModelProfiles profiles(CsvTable::parse("model,parameters,source\nresnet50,2.56e7,x\n", "m.csv", {}));
    std::string all;
    for (const RowNote& row : scaling_targets(read, profiles).skipped) all += row.reason + "\n";
    return all;
  };
  const std::string anchor = ",resnet50,1xV100@dgx1,1,1,fp32,400,64,,images/s\n";
  const auto series = [&](const std::string& target) { return reasons("A,a,lab,f" + anchor + "A,b,lab,f," + target); };
  EXPECT_EQ(series("resnet50,8xV100@dgx1,8,1,fp32,3000,64,,images/s\n"), "");
  EXPECT_NE(series("resnet50,8xV100@dgx1,8,1,fp32,3000,,,images/s\n").find("no batch"), std::string::npos);
  EXPECT_NE(series("resnet51,8xV100@dgx1,8,1,fp32,3000,64,,images/s\n").find("did you mean 'resnet50'"),
            std::string::npos);
  EXPECT_NE(series("resnet50,8xV100@dgx9,8,1,fp32,3000,64,,images/s\n").find("dgx9"), std::string::npos);
  EXPECT_NE(series("resnet50,4xV100@dgx1,8,1,fp32,3000,64,,images/s\n").find("has 4 devices"), std::string::npos);
  EXPECT_NE(series("resnet50,8xV100@dgx1,8,1,fp32,9000,64,,images/s\n").find("of linear scaling"), std::string::npos);
}

}  // namespace
}  // namespace dtbench
