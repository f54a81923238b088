#include "reports/findings.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <set>

#include "reports/comparison.h"
#include "reports/memory_report.h"
#include "reports/scaling.h"
#include "tests/unit/reports/example_result.h"

namespace dtbench {
namespace {

// Nothing to say about this one: calibrated, fits, compute-bound at a good rate, measured inside its band.
RunResult quiet_run() {
  RunResult result = example_run();
  result.calibration = {"a100", "file", Origin::measured, 0.03, ""};
  result.points = {example_point(1, 0.005, 0.1), example_point(8, 0.0052, 0.1)};
  result.model.forward_flops_per_sample = 150e6;
  derive_scaling(result.points);
  result.closed_loop.points = {example_point(1, 0.2, 0.1)};
  result.closed_loop.points.front().step_seconds.measured = measured_from({0.199, 0.2, 0.201, 0.2});
  summarise(result.closed_loop);
  return result;
}

std::vector<std::string> codes_of(const RunResult& result) {
  std::vector<std::string> codes;
  for (const Finding& finding : find_findings(result)) codes.push_back(finding.code);
  return codes;
}

Quantity& step(RunResult& result) { return result.points.back().step_seconds; }

struct Case {
  std::string code;
  std::function<void(RunResult&)> disturb;
};

const std::vector<Case> kCases = {
    {"does-not-fit", [](RunResult& r) { r.points[1].memory_bytes = memory_report({.total = 81}, 80); }},
    {"tight-memory", [](RunResult& r) { r.points[1].memory_bytes = memory_report({.total = 79}, 80); }},
    {"uncalibrated", [](RunResult& r) { r.calibration.origin = Origin::data_sheet; }},
    {"uncalibrated", [](RunResult& r) { r.calibration.origin = Origin::assumed; }},
    {"poor-calibration", [](RunResult& r) { r.calibration.holdout_error = 0.21; }},
    {"closed-loop-error", [](RunResult& r) { r.closed_loop.median_abs_error = 0.16; }},
    {"band-missed",
     [](RunResult& r) {
       step(r).measured = measured_from({0.004, 0.004, 0.004});
     }},
    {"disturbed-measurement",
     [](RunResult& r) {
       step(r).measured = measured_from({0.0047, 0.0052, 0.0057});
     }},
    {"few-repetitions",
     [](RunResult& r) {
       step(r).measured = measured_from({0.0052, 0.0052});
     }},
    {"extrapolated", [](RunResult& r) { r.points[1].extrapolated_share = 0.11; }},
    {"communication-bound",
     [](RunResult& r) {
       r.points[1].bottleneck = {"communication", "nvlink3-switch", 0.5};
       r.points[1].exposed_communication_seconds.predicted = Predicted{0.0026, 0.002, 0.003, Origin::measured};
     }},
    {"launch-bound",
     [](RunResult& r) {
       r.points[0].bottleneck = {"overhead", "", 0.6};
     }},
    {"input-bound",
     [](RunResult& r) {
       r.points[0].bottleneck = {"input", "", 0.6};
     }},
    {"small-batch", [](RunResult& r) { r.model.forward_flops_per_sample = 5e6; }},
    {"precision-without-units",
     [](RunResult& r) {
       r.spec.precision = "mixed_float16";
       r.topology.device.peak_flops[Arithmetic::float16] = r.topology.device.peak_flops.at(Arithmetic::float32);
     }},
    {"slower-with-more-devices",
     [](RunResult& r) {
       r.points = {example_point(1, 0.005, 0.1), example_point(2, 0.011, 0.1)};
       derive_scaling(r.points);
     }},
    {"superlinear",
     [](RunResult& r) {
       r.points[1].efficiency.measured = Measured{1.1, {1.1}};
     }},
    {"wide-band", [](RunResult& r) { step(r).predicted->high = 0.012; }},
    {"no-closed-loop",
     [](RunResult& r) {
       r.closed_loop = {"host", r.closed_loop.calibration, {}, std::nullopt, "--measure off"};
     }},
};

TEST(Findings, SaysNothingAboutAGoodRun) { EXPECT_EQ(codes_of(quiet_run()), std::vector<std::string>{}); }

TEST(Findings, NoticesEachDisturbanceAndNothingElse) {
  for (const Case& one : kCases) {
    RunResult result = quiet_run();
    one.disturb(result);
    EXPECT_EQ(codes_of(result), std::vector<std::string>{one.code});
  }
}

TEST(Findings, EveryRuleHasACase) {
  for (const FindingRule& rule : finding_rules())
    EXPECT_TRUE(std::any_of(kCases.begin(), kCases.end(), [&](const Case& c) { return c.code == rule.code; }))
        << rule.code;
}

TEST(Findings, CodesAreKebabCaseAndUnique) {
  std::set<std::string_view> seen;
  for (const FindingRule& rule : finding_rules()) {
    EXPECT_EQ(rule.code.find_first_not_of("abcdefghijklmnopqrstuvwxyz-"), std::string_view::npos) << rule.code;
    EXPECT_TRUE(rule.code.front() != '-' && rule.code.back() != '-') << rule.code;
    EXPECT_TRUE(seen.insert(rule.code).second) << rule.code;
  }
}

TEST(Findings, StandInOrderOfSeverity) {
  const std::vector<std::string_view> order = {"error", "warning", "info"};
  std::size_t rank = 0;
  for (const FindingRule& rule : finding_rules()) {
    const auto own = static_cast<std::size_t>(std::find(order.begin(), order.end(), rule.severity) - order.begin());
    EXPECT_LT(own, order.size()) << rule.severity;
    EXPECT_GE(own, rank) << rule.code;
    rank = own;
  }
}

TEST(Findings, EvidenceHoldsTheNumbersOfTheText) {
  RunResult result = quiet_run();
  result.points[1].memory_bytes = memory_report({.total = 160'000'000'000}, 80'000'000'000);
  const Finding finding = find_findings(result).front();
  EXPECT_EQ(finding.severity, "error");
  EXPECT_EQ(finding.evidence.at("total_bytes"), 160e9);
  EXPECT_NE(finding.text.find("160 GB"), std::string::npos) << finding.text;
}

}  // namespace
}  // namespace dtbench
