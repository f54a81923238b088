#include "engine/plan/run_spec.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/unit/plan/expect_error.h"

namespace dtbench {
namespace {

RunSpec read(const std::string& text, RunSpec defaults = {}) {
  const Json json = parse_json(text, "spec.json");
  return run_spec_from_json(JsonReader(json, "spec.json"), std::move(defaults));
}

RunSpec full_spec() {
  RunSpec spec;
  spec.topology = "4x8xV100@dgx1";
  spec.model_options = {{"hidden", 64}, {"layers", 3}};
  spec.strategy = "single";
  spec.learning_rate = 0.1;
  spec.momentum = 0.3;
  spec.global_batch = std::int64_t{1} << 40;
  spec.devices = {1, 2, 8};
  spec.collective = "ring";
  spec.bucket_bytes = 1;
  spec.threads_per_replica = 3;
  spec.calibration = "a b.json";
  spec.anchor = Anchor{4, 2375.25, "images/s", "mlp", "float32", 16};
  spec.measure = Measure::required;
  spec.fidelity = Fidelity::message;
  spec.time_budget_seconds = 1.5;
  spec.seed = 0xffffffffffffffffull;
  return spec;
}

TEST(RunSpec, SurvivesJson) {
  EXPECT_EQ(read(run_spec_to_json_text({})), RunSpec{});
  EXPECT_EQ(read(run_spec_to_json_text(full_spec())), full_spec());
  for (const Measure measure : {Measure::automatic, Measure::off, Measure::required})
    for (const Fidelity fidelity : {Fidelity::closed_form, Fidelity::flow, Fidelity::message}) {
      RunSpec spec;
      spec.measure = measure;
      spec.fidelity = fidelity;
      EXPECT_EQ(read(run_spec_to_json_text(spec)), spec);
    }
}

TEST(RunSpec, KeepsDefaultsWhereTheFileIsSilent) {
  EXPECT_EQ(read("{}", full_spec()), full_spec());
  EXPECT_EQ(read(R"({"seed": 7, "anchor": null})", full_spec()).seed, 7u);
  EXPECT_EQ(read(R"({"model_options": {"hidden": 9}})", full_spec()).model_options,
            (std::map<std::string, std::int64_t>{{"hidden", 9}, {"layers", 3}}));
}

TEST(RunSpec, NamesTheKeyThatIsWrong) {
  const auto error = [](const std::string& text) { return bad_input_of([&] { read(text); }); };
  EXPECT_EQ(error(R"({"strategi": "single"})").hint, "did you mean 'strategy'?");
  EXPECT_EQ(error(R"({"global_batch": 0})").where, "spec.json:/global_batch");
  EXPECT_EQ(error(R"({"devices": [1, 2.5]})").where, "spec.json:/devices");
  EXPECT_EQ(error(R"({"devices": [0]})").where, "spec.json:/devices");
  EXPECT_EQ(error(R"({"devices": [1e300]})").where, "spec.json:/devices");
  EXPECT_EQ(error(R"({"threads_per_replica": 5000000000})").where, "spec.json:/threads_per_replica");
  EXPECT_EQ(error(R"({"fidelity": "flows"})").hint, "did you mean 'flow'?");
  EXPECT_EQ(error(R"({"seed": -1})").where, "spec.json:/seed");
  EXPECT_EQ(error(R"({"time_budget_seconds": 0})").where, "spec.json:/time_budget_seconds");
  EXPECT_EQ(error(R"({"model_options": {"hidden": -4}})").where, "spec.json:/model_options/hidden");
  EXPECT_EQ(error(R"({"anchor": {"devices": 1}})").found, "key 'throughput' is missing");
  EXPECT_EQ(error(R"({"anchor": {"throughput": 5, "unit": "images"}})").where, "spec.json:/anchor");
  EXPECT_EQ(error(R"([])").expected, "an object");
}

TEST(Anchor, IsReadFromText) {
  EXPECT_EQ(parse_anchor("devices=1,throughput=2375,unit=images/s"),
            (Anchor{1, 2375, "images/s", std::nullopt, std::nullopt, std::nullopt}));
  EXPECT_EQ(parse_anchor("throughput=1e3,model=mlp,batch-per-replica=32,precision=float32,devices=8"),
            (Anchor{8, 1000, "samples/s", "mlp", "float32", 32}));
}

TEST(Anchor, RefusesWhatItCannotUse) {
  const auto error = [](const std::string& text) { return bad_input_of([&] { parse_anchor(text); }); };
  EXPECT_EQ(error("throughputs=3").hint, "did you mean 'throughput'?");
  EXPECT_EQ(error("devices=2").expected, "throughput=<samples per second>");
  EXPECT_EQ(error("throughput=0").where, "--anchor throughput");
  EXPECT_EQ(error("throughput=nan").where, "--anchor throughput");
  EXPECT_EQ(error("throughput=5,devices=0").where, "--anchor devices");
  EXPECT_EQ(error("throughput=5,devices=99999999999").where, "--anchor devices");
  EXPECT_EQ(error("throughput=5,throughput=6").found, "'throughput' twice");
  EXPECT_EQ(error("throughput=5,unit=images").found, "unit 'images'");
  EXPECT_EQ(error("throughput=5,").found, "''");
  EXPECT_EQ(error("").found, "''");
  EXPECT_EQ(error("throughput=").found, "nothing");
}

}  // namespace
}  // namespace dtbench
