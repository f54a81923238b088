#include "topologies/calibration.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "tests/support/error_message.h"
#include "tests/unit/sim/model_machines.h"
#include "topologies/base/error.h"
#include "topologies/data_sheet_calibration.h"
#include "topologies/topology_library.h"

namespace dtbench {
namespace {

using ::testing::HasSubstr;

RateCurve curve(std::vector<RateCurve::Point> points) { return {std::move(points), 0.1, Origin::fitted, "test"}; }

OpCalibration op_with_overhead(double seconds) { return {{seconds, 0.1, Origin::fitted, ""}, {}, {}}; }

/// A file that goes with the test.
class TemporaryFile {
 public:
  explicit TemporaryFile(const std::string& text) : path_(testing::TempDir() + "dtbench_model_calibration_test.json") {
    std::ofstream(path_) << text;
  }
  ~TemporaryFile() { std::filesystem::remove(path_); }
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

TEST(RateCurve, IsExactAtItsPointsAndGeometricBetween) {
  const RateCurve rate = curve({{1e3, 1e9}, {1e5, 4e9}, {1e6, 4e9}});
  EXPECT_DOUBLE_EQ(rate_at(rate, 1e3), 1e9);
  EXPECT_DOUBLE_EQ(rate_at(rate, 1e5), 4e9);
  EXPECT_NEAR(rate_at(rate, 1e4), 2e9, 1);  // half way in the logarithm: the geometric mean
  EXPECT_DOUBLE_EQ(rate_at(rate, 5e5), 4e9);
}

TEST(RateCurve, IsConstantOutsideItsPoints) {
  const RateCurve rate = curve({{1e3, 1e9}, {1e5, 4e9}});
  EXPECT_DOUBLE_EQ(rate_at(rate, 1), 1e9);
  EXPECT_DOUBLE_EQ(rate_at(rate, 1e12), 4e9);
  EXPECT_FALSE(covers(rate, 999));
  EXPECT_TRUE(covers(rate, 1e3));
  EXPECT_TRUE(covers(rate, 1e5));
  EXPECT_FALSE(covers(rate, 1.01e5));
}

TEST(Calibration, LooksUpTheExactKindBeforeItsFallbacks) {
  Calibration calibration;
  calibration.ops["*/*"] = op_with_overhead(1);
  calibration.ops["dense/*"] = op_with_overhead(2);
  calibration.ops["dense/bfloat16"] = op_with_overhead(3);
  EXPECT_EQ(calibration.op("relu", Arithmetic::float32).overhead_seconds.value, 1);
  EXPECT_EQ(calibration.op("dense", Arithmetic::float32).overhead_seconds.value, 2);
  EXPECT_EQ(calibration.op("dense", Arithmetic::bfloat16).overhead_seconds.value, 3);
}

TEST(Calibration, WithoutAnEntryNamesItselfAndWhatIsMissing) {
  Calibration calibration;
  calibration.name = "host 2026";
  calibration.ops["dense/float32"] = op_with_overhead(1);
  const std::string text = message_of([&] { calibration.op("dense", Arithmetic::float8); });
  EXPECT_THAT(text, HasSubstr("host 2026"));
  EXPECT_THAT(text, HasSubstr("dense/float8"));
  EXPECT_THAT(text, HasSubstr("dtbench calibrate"));
  calibration.links["pcie4"] = {};
  EXPECT_THAT(message_of([&] { calibration.link("pcie5"); }), HasSubstr("did you mean 'pcie4'?"));
}

TEST(Calibration, SurvivesJson) {
  Calibration calibration = test::round_calibration();
  calibration.origin = Origin::fitted;
  calibration.holdout_error = 0.0421;
  calibration.links["*"].size_factor = curve({{1e3, 0.25}, {1e6, 1}});
  calibration.conditions = {{"cpu", "Some CPU"}, {"date", "2026-01-01"}};
  const TemporaryFile file(calibration_to_json_text(calibration));
  EXPECT_EQ(calibration_from_json_file(file.path()), calibration);
}

struct BadFile {
  const char *from, *to, *message;
};

class CalibrationFile : public testing::TestWithParam<BadFile> {};

TEST_P(CalibrationFile, IsRefusedWithPlaceAndRule) {
  Calibration calibration = test::round_calibration();
  calibration.holdout_error = 0.5;
  std::string text = calibration_to_json_text(calibration);
  const std::size_t at = text.find(GetParam().from);
  ASSERT_NE(at, std::string::npos) << GetParam().from;
  text.replace(at, std::string(GetParam().from).size(), GetParam().to);
  const TemporaryFile file(text);
  EXPECT_THAT(message_of([&] { calibration_from_json_file(file.path()); }), HasSubstr(GetParam().message));
}

INSTANTIATE_TEST_SUITE_P(
    , CalibrationFile,
    testing::Values(BadFile{"calibration/1", "calibration/2", "dtbench.calibration/1"},
                    BadFile{"\"flop_rate\"", "\"flops_rate\"", "did you mean 'flop_rate'?"},
                    BadFile{"\"flops\": 1000.0", "\"flops\": 1e29", "more than the point before"},
                    BadFile{"\"ln_sd\":", "\"ln_sd\": 7, \"_\":", "0 to 5"},
                    BadFile{"\"flops\": 1000.0", "\"flops\": 0", "/points/0/flops"},
                    BadFile{"\"ln_sd\": 0.1", "\"ln_sd\": -0.1", ">= 0"},
                    BadFile{"\"origin\": \"measured\"", "\"origin\": \"guessed\"", "'assumed'"},
                    BadFile{"\"value\": 0.5", "\"value\": 0.0", "/links/*/efficiency/value"},
                    BadFile{"\"holdout_error\": 0.5", "\"holdout_error\": \"good\"", "/holdout_error"},
                    BadFile{"\"overlap_slowdown\": {\n    \"value\": 0.0",
                            "\"overlap_slowdown\": {\n    \"value\": 1.5", "/overlap_slowdown/value"}));

class DataSheet : public testing::Test {
 protected:
  std::string rules() const { return data_directory() + "/calibrations/data_sheet.json"; }
  DeviceSpec a100() const { return TopologyLibrary().device("A100"); }
};

TEST_F(DataSheet, RatesStayBelowTheSheetAndRiseWithTheCall) {
  const DeviceSpec device = a100();
  const Calibration calibration = data_sheet_calibration(device, rules());
  for (const auto& [arithmetic, peak] : device.peak_flops) {
    const RateCurve& rate = *calibration.op("dense", arithmetic).flop_rate;
    double before = 0;
    for (const RateCurve::Point& point : rate.points) {
      EXPECT_LT(point.rate, peak);
      EXPECT_GT(point.rate, before);
      before = point.rate;
    }
  }
  EXPECT_LT(rate_at(*calibration.op("relu", Arithmetic::float32).byte_rate, 1e6), device.memory_bandwidth);
  EXPECT_EQ(calibration.origin, Origin::data_sheet);
}

// Published training: tensor cores reach a smaller part of their peak than cores do of theirs.
TEST_F(DataSheet, MatrixUnitsReachASmallerShareOfTheirPeakThanCores) {
  for (const char* name : {"V100", "A100", "T4", "H100", "RTX-4090"}) {
    const DeviceSpec device = TopologyLibrary().device(name);
    const Calibration calibration = data_sheet_calibration(device, rules());
    const auto share = [&](const char* kind, Arithmetic arithmetic) {
      return rate_at(*calibration.op(kind, arithmetic).flop_rate, 1e18) / device.peak_flops.at(arithmetic);
    };
    for (const char* kind : {"dense", "conv2d"}) {
      EXPECT_LE(share(kind, Arithmetic::float32), 0.95) << name;
      EXPECT_LT(share(kind, Arithmetic::float16), share(kind, Arithmetic::float32)) << name;
      EXPECT_GT(share(kind, Arithmetic::float16), 0.2) << name;
    }
  }
}

TEST_F(DataSheet, HasNoRateForArithmeticThatTheDeviceLacks) {
  const Calibration calibration = data_sheet_calibration(a100(), rules());
  EXPECT_THAT(message_of([&] { calibration.op("dense", Arithmetic::float8); }), HasSubstr("dense/float8"));
}

TEST_F(DataSheet, AHostHasNone) {
  Topology topology;
  topology.spec = "host";
  topology.device.name = "host";
  topology.device.kind = DeviceKind::cpu;
  EXPECT_THAT(message_of([&] { shipped_calibration(topology, data_directory()); }), HasSubstr("dtbench calibrate"));
}

TEST_F(DataSheet, AHopTakesAtLeastTheLatencyOfTheDescribedMachine) {
  Topology topology;
  topology.device = a100();
  topology.within_node = {.name = "switch", .link_class = "nvlink3-switch", .latency_seconds = 0};
  topology.between_nodes = Tier{.name = "radio", .link_class = "ib-hdr200", .latency_seconds = 1e-3};
  const Calibration calibration = shipped_calibration(topology, data_directory());
  EXPECT_EQ(calibration.link("nvlink3-switch").alpha_seconds,
            data_sheet_calibration(a100(), rules()).link("nvlink3-switch").alpha_seconds);
  EXPECT_EQ(calibration.link("ib-hdr200").alpha_seconds.value, 1e-3);
  EXPECT_THAT(calibration.link("ib-hdr200").alpha_seconds.source, HasSubstr("radio"));
}

TEST_F(DataSheet, ShippedCalibrationsAreReadFromTheirFileWhenThereIsOne) {
  const std::string directory = testing::TempDir() + "dtbench_shipped";
  std::filesystem::create_directories(directory + "/calibrations");
  std::ofstream(directory + "/calibrations/mydevice80gb.json") << calibration_to_json_text(test::round_calibration());
  Topology topology;
  topology.device.name = "My-Device 80GB";
  EXPECT_EQ(shipped_calibration(topology, directory), test::round_calibration());
  std::filesystem::remove_all(directory);
}

}  // namespace
}  // namespace dtbench
