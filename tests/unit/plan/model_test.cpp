#include "engine/plan/models/model.h"

#include <gtest/gtest.h>

#include <set>

#include "engine/plan/models/presets.h"
#include "tests/unit/plan/expect_error.h"

namespace dtbench {
namespace {

TEST(Mlp, HasTheParametersOfItsFormula) {
  for (const std::int64_t layers : {1, 2, 5})
    for (const std::int64_t hidden : {1, 16, 100}) {
      const std::int64_t inputs = 784, classes = 10;
      const Graph graph = build_model("mlp", {{"layers", layers}, {"hidden", hidden}}, 2);
      EXPECT_EQ(graph.parameter_count(),
                (inputs + 1) * hidden + (layers - 1) * (hidden + 1) * hidden + (hidden + 1) * classes);
    }
  EXPECT_EQ(build_model("mlp", {}, 1).parameter_count(), 14'217'226);  // 4 x 2048, the default
}

TEST(Mlp, ReadsFeaturesAndLabelsOfItsBatch) {
  const Graph graph = build_model("mlp", {{"inputs", 12}}, 32);
  EXPECT_EQ(graph.tensors[0].shape, (Shape{32, 12}));
  EXPECT_EQ(graph.tensors[0].role, TensorRole::input);
  EXPECT_EQ(graph.tensors[1].shape, (Shape{32}));
  EXPECT_EQ(graph.tensors[1].role, TensorRole::label);
  EXPECT_EQ(graph.tensors[1].dtype, DType::int32);
  EXPECT_EQ(graph.tensors[static_cast<std::size_t>(graph.loss)].role, TensorRole::loss);
}

TEST(BuildModel, SuggestsNamesOfModelsAndOptions) {
  EXPECT_EQ(bad_input_of([] { build_model("mpl", {}, 1); }).hint, "did you mean 'mlp'?");
  EXPECT_EQ(bad_input_of([] { build_model("mlp", {{"hiden", 3}}, 1); }).hint, "did you mean 'hidden'?");
}

TEST(BuildModel, RefusesSizesOutOfRange) {
  for (const std::int64_t bad : {std::int64_t{0}, std::int64_t{-1}, std::int64_t{1} << 40}) {
    EXPECT_EQ(bad_input_of([&] { build_model("mlp", {{"hidden", bad}}, 1); }).where, "--hidden of model 'mlp'");
    EXPECT_EQ(bad_input_of([&] { build_model("mlp", {{"layers", bad}}, 1); }).where, "--layers of model 'mlp'");
  }
  for (const std::int64_t bad : {std::int64_t{0}, std::int64_t{-7}, (std::int64_t{1} << 40) + 1})
    EXPECT_EQ(bad_input_of([&] { build_model("mlp", {}, bad); }).where, "batch per replica");
}

TEST(BuildModel, RefusesMoreThanAPebibyteOfParameters) {
  const ErrorParts parts = bad_input_of([] { build_model("mlp", {{"hidden", 1 << 24}, {"layers", 9}}, 1); });
  EXPECT_NE(parts.found.find("of parameters"), std::string::npos) << parts.found;
}

TEST(ModelFamilies, HaveFallbacksWithinTheRangeOfEachOption) {
  for (const ModelFamily& family : model_families())
    for (const ModelOption& option : family.options) {
      EXPECT_LE(option.least, option.fallback) << family.name << " " << option.name;
      EXPECT_LE(option.fallback, option.most) << family.name << " " << option.name;
    }
}

// A preset is a name of its own, of a known family, with options of that family.
TEST(ModelPresets, BuildAGraphUnderTheirName) {
  for (const ModelPreset& preset : model_presets()) {
    EXPECT_EQ(model_family(preset.name).name, preset.family);
    EXPECT_EQ(build_model(preset.name, {}, 1).model, preset.name);
  }
  const std::vector<std::string> names = model_names();
  EXPECT_EQ(std::set<std::string>(names.begin(), names.end()).size(), names.size());
}

}  // namespace
}  // namespace dtbench
