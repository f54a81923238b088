#include "bench/options.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <set>

#include "tests/support/error_message.h"

namespace dtbench {
namespace {

using ::testing::HasSubstr;

constexpr unsigned kAllOptions = 2 * kSeedOptions - 1;

RunSpec parsed(std::vector<std::string> words, RunSpec defaults = {}) {
  CLI::App app;
  const auto arguments = SpecArguments::declare(app, kAllOptions);
  std::reverse(words.begin(), words.end());
  app.parse(words);
  return arguments->resolve(std::move(defaults));
}

TEST(SpecOptions, AreDeclaredOnceEach) {
  std::set<std::string_view> names;
  for (const SpecOption& option : spec_options()) EXPECT_TRUE(names.insert(option.name).second) << option.name;
}

TEST(SpecOptions, WithoutWordsAreTheDefaults) {
  RunSpec defaults;
  defaults.time_budget_seconds = 60;
  EXPECT_EQ(parsed({}, defaults), defaults);
}

TEST(SpecOptions, EachReachesItsField) {
  const RunSpec spec = parsed({"--topology",
                               "8xT4",
                               "--hidden",
                               "32",
                               "--strategy",
                               "single",
                               "--batch-per-replica",
                               "16",
                               "--lr",
                               "0.1",
                               "--devices",
                               "8,1,8,2",
                               "--collective",
                               "ring",
                               "--bucket-bytes",
                               "1MiB",
                               "--threads-per-replica",
                               "3",
                               "--calibration",
                               "c.json",
                               "--measure",
                               "required",
                               "--fidelity",
                               "flow",
                               "--time-budget",
                               "1.5min",
                               "--seed",
                               "9",
                               "--anchor",
                               "devices=2,throughput=10,unit=images/s"});
  EXPECT_EQ(spec.topology, "8xT4");
  EXPECT_EQ(spec.model_options.at("hidden"), 32);
  EXPECT_EQ(spec.strategy, "single");
  EXPECT_EQ(spec.batch_per_replica, 16);
  EXPECT_EQ(spec.learning_rate, 0.1);
  EXPECT_EQ(spec.devices, (std::vector<int>{1, 2, 8}));
  EXPECT_EQ(spec.collective, "ring");
  EXPECT_EQ(spec.bucket_bytes, 1 << 20);
  EXPECT_EQ(spec.threads_per_replica, 3);
  EXPECT_EQ(spec.calibration, "c.json");
  EXPECT_EQ(spec.measure, Measure::required);
  EXPECT_EQ(spec.fidelity, Fidelity::flow);
  EXPECT_EQ(spec.time_budget_seconds, 90);
  EXPECT_EQ(spec.seed, 9u);
  ASSERT_TRUE(spec.anchor);
  EXPECT_EQ(spec.anchor->devices, 2);
}

TEST(SpecOptions, TheGivenBatchReplacesTheOtherKindOfTheDefaults) {
  RunSpec defaults;
  defaults.batch_per_replica = 16;
  const RunSpec spec = parsed({"--global-batch", "64"}, defaults);
  EXPECT_EQ(spec.global_batch, 64);
  EXPECT_FALSE(spec.batch_per_replica);
}

TEST(SpecOptions, CommandsSeeOnlyTheirGroups) {
  CLI::App app;
  (void)SpecArguments::declare(app, kMachineOptions);
  EXPECT_NE(app.get_option_no_throw("--topology"), nullptr);
  EXPECT_EQ(app.get_option_no_throw("--devices"), nullptr);
  EXPECT_EQ(app.get_option_no_throw("--hidden"), nullptr);
}

TEST(CheckNames, RefusesOptionsOfAnotherModel) {
  RunSpec spec;
  spec.model_options["heads"] = 8;
  EXPECT_THAT(message_of([&] { check_names(spec); }), HasSubstr("no option of model 'mlp'"));
}

TEST(DeviceCounts, DoubleUpToTheWholeMachine) {
  EXPECT_EQ(default_device_counts(1), (std::vector<int>{1}));
  EXPECT_EQ(default_device_counts(8), (std::vector<int>{1, 2, 4, 8}));
  EXPECT_EQ(default_device_counts(6), (std::vector<int>{1, 2, 4, 6}));
  EXPECT_EQ(default_device_counts(1 << 20).size(), 21u);
}

TEST(DeviceCounts, AreLimitedByMachineAndStrategy) {
  RunSpec spec;
  spec.topology = "2xT4";
  EXPECT_EQ(device_counts(spec, 2), (std::vector<int>{1, 2}));
  spec.devices = {1, 3};
  EXPECT_THAT(message_of([&] { device_counts(spec, 2); }), HasSubstr("at most 2 (2xT4)"));
  spec.devices = {};
  spec.strategy = "single";
  EXPECT_EQ(device_counts(spec, 2), (std::vector<int>{1}));
  spec.devices = {2};
  EXPECT_THAT(message_of([&] { device_counts(spec, 2); }), HasSubstr("strategy single"));
}

}  // namespace
}  // namespace dtbench
