// Every mistake a user can make: one line that says where, what and what would be right, and status 2.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>

#include "tests/cli/program.h"

namespace dtbench {
namespace {

using ::testing::HasSubstr;
using Words = std::vector<std::string>;

struct Mistake {
  const char* name;
  Words words;
  std::vector<const char*> said;  ///< parts of the message
};

void PrintTo(const Mistake& mistake, std::ostream* out) { *out << shown(mistake.words); }

class BadInput : public ::testing::TestWithParam<Mistake> {};

TEST_P(BadInput, IsRefusedWithOneClearLine) {
  const Outcome outcome = dtbench_says(GetParam().words);
  EXPECT_EQ(outcome.status, 2) << outcome.err;
  EXPECT_EQ(outcome.out, "");
  EXPECT_EQ(outcome.err.rfind("dtbench: error: ", 0), 0u) << outcome.err;
  EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << outcome.err;
  for (const char* part : GetParam().said) EXPECT_THAT(outcome.err, HasSubstr(part));
}

Words a100(Words more) {
  Words words = {"run", "--topology", "8xA100", "--measure", "off"};
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

INSTANTIATE_TEST_SUITE_P(
    Commands, BadInput,
    ::testing::Values(Mistake{"NoCommand", {}, {"no command", "'run'"}},
                      Mistake{"UnknownCommand", {"rnu"}, {"'rnu'", "did you mean 'run'?"}},
                      Mistake{"UnknownSubcommand", {"topology", "shwo"}, {"'shwo'", "did you mean 'show'?"}},
                      Mistake{"UnknownOption", {"run", "--topolgy", "8xA100"}, {"'--topolgy'", "'--topology'?"}},
                      Mistake{"UnknownOptionWithValue", {"run", "--hiden=3"}, {"'--hiden'", "'--hidden'?"}},
                      Mistake{"SurplusArgument", {"run", "extra"}, {"unexpected argument 'extra'"}},
                      Mistake{"MissingValue", {"run", "--topology"}, {"--topology"}},
                      Mistake{"OptionTwice", a100({"--hidden", "8", "--hidden", "9"}), {"--hidden"}},
                      Mistake{"MissingOutput", {"calibrate"}, {"--output", "required"}},
                      Mistake{"EmptyConfig", {"run", "--config", ""}, {"--config", "empty"}},
                      Mistake{"EmptyCalibration", a100({"--calibration", ""}), {"--calibration", "empty"}},
                      Mistake{"EmptyTrace", a100({"--trace", ""}), {"--trace", "empty"}},
                      Mistake{"TraceToStandardOutput", a100({"--trace", "-"}), {"--trace", "a file name"}},
                      Mistake{"CalibrationToStandardOutput", {"calibrate", "-o", "-"}, {"'-'", "a file name"}},
                      Mistake{"TwoResultsInOneFile",
                              a100({"--json", temporary_path("same"), "--trace", temporary_path("same")}),
                              {"--trace", "the file of --json"}},
                      Mistake{"NoTimeBudget", a100({"--time-budget", "0"}), {"--time-budget", "above 0"}},
                      Mistake{"SeveralCountsToTrainOn", {"train", "--devices", "1,2"}, {"--devices", "one"}},
                      Mistake{"ControlCharacters", a100({"--model", "m\x1b[31mp"}), {"m\\x1b[31mp"}},
                      Mistake{"MessageLevelOfAHugeMachine",
                              {"run", "--topology", "8192x8xA100", "--measure", "off", "--fidelity", "message"},
                              {"65536 ranks", "at most 256"}}),
    [](const auto& mistake) { return mistake.param.name; });

INSTANTIATE_TEST_SUITE_P(
    Names, BadInput,
    ::testing::Values(
        Mistake{"Topology", {"run", "--topology", "8xV10O", "--measure", "off"}, {"V10O", "did you mean 'V100'?"}},
        Mistake{"TopologyGrammar", {"run", "--topology", "8x8x8xA100"}, {"8x8x8xA100", "<nodes>x"}},
        Mistake{"TooManyDevices", {"run", "--topology", "99999x99999xA100"}, {"at most 1048576"}},
        Mistake{"Model", a100({"--model", "mpl"}), {"'mpl'", "did you mean 'mlp'?"}},
        Mistake{"ShownModel", {"model", "show", "mpl"}, {"'mpl'", "did you mean 'mlp'?"}},
        Mistake{"Strategy", a100({"--strategy", "mirored"}), {"--strategy", "did you mean 'mirrored'?"}},
        Mistake{"Collective", a100({"--collective", "rng"}), {"--collective", "did you mean 'ring'?"}},
        Mistake{"Optimizer", a100({"--optimizer", "momentun"}), {"--optimizer", "momentum"}},
        Mistake{"Precision", a100({"--precision", "flaot32"}), {"--precision", "did you mean 'float32'?"}},
        Mistake{"PrecisionOfStorageOnly", a100({"--precision", "bfloat16"}), {"--precision", "'mixed_bfloat16'"}},
        Mistake{"Measure", {"run", "--measure", "maybe"}, {"--measure", "'required'"}},
        Mistake{"Fidelity", a100({"--fidelity", "flw"}), {"--fidelity", "did you mean 'flow'?"}}),
    [](const auto& mistake) { return mistake.param.name; });

INSTANTIATE_TEST_SUITE_P(
    Sizes, BadInput,
    ::testing::Values(Mistake{"ZeroHidden", a100({"--hidden", "0"}), {"--hidden", "'0'"}},
                      Mistake{"NegativeHidden", a100({"--hidden", "-5"}), {"--hidden", "'-5'"}},
                      Mistake{"HiddenBeyond64Bits", a100({"--hidden", "99999999999999999999"}), {"--hidden"}},
                      Mistake{"HiddenNotWhole", a100({"--hidden", "1.5"}), {"--hidden", "'1.5'"}},
                      Mistake{"HugeModel", a100({"--hidden", "16000000", "--layers", "1000"}), {"TB of parameters"}},
                      Mistake{"TooManyLayers", a100({"--layers", "1000000000"}), {"--layers"}},
                      Mistake{"ZeroBatch", a100({"--batch-per-replica", "0"}), {"--batch-per-replica", "'0'"}},
                      Mistake{"HugeBatch", a100({"--batch-per-replica", "9000000000000"}), {"--batch-per-replica"}},
                      Mistake{"BatchDoesNotDivide", a100({"--global-batch", "7"}), {"--global-batch", "7", "8"}},
                      Mistake{"TwoBatches",
                              a100({"--global-batch", "8", "--batch-per-replica", "8"}),
                              {"--global-batch", "--batch-per-replica"}},
                      Mistake{"MoreDevicesThanThere",
                              {"run", "--topology", "2xA100", "--devices", "3", "--measure", "off"},
                              {"--devices", "3", "at most 2"}},
                      Mistake{"MoreDevicesThanTheStrategyUses",
                              a100({"--strategy", "single", "--devices", "2"}),
                              {"--devices", "at most 1", "single"}},
                      Mistake{"MoreReplicasThanCores", {"run", "--devices", "100000"}, {"--devices", "at most"}},
                      Mistake{"ZeroDevices", a100({"--devices", "0"}), {"--devices", "'0'"}},
                      Mistake{"EmptyDevice", a100({"--devices", "1,,2"}), {"--devices"}},
                      Mistake{"MoreThreadsThanCores", {"run", "--threads-per-replica", "60000"}, {"core(s)"}},
                      Mistake{"NegativeTime", {"run", "--time-budget", "-3s"}, {"--time-budget", "'-3s'"}},
                      Mistake{"NegativeSeed", a100({"--seed", "-1"}), {"--seed"}},
                      Mistake{"LearningRateNotFinite", a100({"--lr", "nan"}), {"--lr", "finite"}},
                      Mistake{"ZeroBuckets", a100({"--bucket-bytes", "0"}), {"--bucket-bytes"}},
                      Mistake{"VerifyUnknownModel", {"verify", "--model", "mlp,mlq"}, {"--model", "mlq", "mlp"}},
                      Mistake{"VerifyModelTwice", {"verify", "--model", "mlp,mlp"}, {"--model", "twice"}},
                      Mistake{"VerifyEmptyPrecision", {"verify", "--precision", "float32,"}, {"--precision", "empty"}},
                      Mistake{"BenchLayoutBeyondTheCores",
                              {"bench", "engine", "--layout", "1x60000"},
                              {"--layout", "1x60000", "core(s)"}},
                      Mistake{"BenchLayoutNoLayout", {"bench", "engine", "--layout", "2"}, {"--layout", "1x2"}},
                      Mistake{"BenchNoRepetition", {"bench", "engine", "--repetitions", "0"}, {"--repetitions"}},
                      Mistake{"ZeroTolerance", {"verify", "--tolerance", "0"}, {"--tolerance"}}),
    [](const auto& mistake) { return mistake.param.name; });

INSTANTIATE_TEST_SUITE_P(
    Anchors, BadInput,
    ::testing::Values(
        Mistake{"OtherModel",
                a100({"--anchor", "devices=1,throughput=2375,unit=images/s,model=resnet50"}),
                {"--anchor", "resnet50", "mlp"}},
        Mistake{"OtherPrecision",
                a100({"--anchor", "devices=1,throughput=2375,unit=images/s,precision=bfloat16"}),
                {"--anchor", "bfloat16"}},
        Mistake{"OtherUnit", a100({"--anchor", "devices=1,throughput=2375,unit=tokens/s"}), {"--anchor", "tokens/s"}},
        Mistake{"MoreDevices", a100({"--anchor", "devices=16,throughput=2375,unit=images/s"}), {"--anchor", "at most"}},
        Mistake{"FasterThanPossible", a100({"--anchor", "devices=1,throughput=1e15,unit=images/s"}), {"--anchor"}},
        Mistake{"Malformed", a100({"--anchor", "devices=1,thruput=3"}), {"--anchor", "throughput"}}),
    [](const auto& mistake) { return mistake.param.name; });

/// A file with this text; its path.
std::string file_with(const std::string& name, const std::string& text) {
  const std::string path = temporary_path(name);
  std::ofstream(path) << text;
  return path;
}

TEST(BadConfig, MissingFileIsNamed) {
  const Outcome outcome = dtbench_says({"run", "--config", temporary_path("absent.json")});
  EXPECT_EQ(outcome.status, 2);
  EXPECT_THAT(outcome.err, HasSubstr("absent.json"));
}

TEST(BadConfig, BrokenJsonIsShownWithLineAndColumn) {
  const Outcome outcome = dtbench_says({"run", "--config", file_with("broken.json", "{\"topology\":\n \"8xA100\",,}")});
  EXPECT_EQ(outcome.status, 2);
  EXPECT_THAT(outcome.err, HasSubstr("broken.json:2:"));
}

TEST(BadConfig, MisspeltKeyIsShownWithTheNearest) {
  const Outcome outcome = dtbench_says({"run", "--config", file_with("key.json", "{\"topolgy\": \"8xA100\"}")});
  EXPECT_EQ(outcome.status, 2);
  EXPECT_THAT(outcome.err, HasSubstr("'topolgy'"));
  EXPECT_THAT(outcome.err, HasSubstr("topology"));
}

TEST(BadConfig, WrongTypeIsShownWithItsPointer) {
  const std::string path = file_with("type.json", "{\"model_options\": {\"hidden\": \"wide\"}}");
  const Outcome outcome = dtbench_says({"run", "--config", path});
  EXPECT_EQ(outcome.status, 2);
  EXPECT_THAT(outcome.err, HasSubstr("/model_options/hidden"));
}

TEST(BadConfig, CalibrationOfAnotherKindIsRefused) {
  const std::string path = file_with("calibration.json", "{\"schema\": \"dtbench.run/1\"}");
  const Outcome outcome = dtbench_says(a100({"--calibration", path}));
  EXPECT_EQ(outcome.status, 2);
  EXPECT_THAT(outcome.err, HasSubstr("dtbench.calibration/1"));
}

TEST(UnwritableOutput, IsRefusedBeforeTheWork) {
  const Words commands[] = {{"run", "--topology", "host", "--json", "/nonexistent/result.json"},
                            {"run", "--topology", "host", "--json", "/"},
                            {"run", "--topology", "host", "--json", ""},
                            {"verify", "--json", "/nonexistent/result.json"},
                            {"calibrate", "-o", "/nonexistent/host.json"}};
  for (const Words& words : commands) {
    const Outcome outcome = dtbench_says(words);
    EXPECT_EQ(outcome.status, 2) << shown(words);
    EXPECT_EQ(outcome.err.find("calibrating"), std::string::npos) << "worked before refusing: " << outcome.err;
  }
}

TEST(RequiredMeasurement, ThatCannotBeMadeFailsWithTheEstimate) {
  const Outcome outcome =
      dtbench_says({"run", "--topology", "8xA100", "--hidden", "200000", "--layers", "30", "--measure", "required"});
  EXPECT_EQ(outcome.status, 4);
  EXPECT_THAT(outcome.err, HasSubstr("of memory"));
}

constexpr const char* kMeasured = R"({"schema": "dtbench.bench/1", "environment": {"cpu": "x"}, "metrics": [
    {"name": "a", "unit": "s", "better": "lower", "repetitions": [1, 2, 3]}]})";

INSTANTIATE_TEST_SUITE_P(
    Comparisons, BadInput,
    ::testing::Values(
        Mistake{"NothingToCompare", {"compare"}, {"no result given", "BASE.json NEW.json"}},
        Mistake{"OneResult", {"compare", "a.json"}, {"one result given", "BASE.json NEW.json"}},
        Mistake{"MissingResult", {"compare", "no-such.json", "b.json"}, {"no-such.json", "cannot be read"}},
        Mistake{"NoResult", {"compare", file_with("spec.json", "{}"), "b.json"}, {"neither a result of dtbench"}},
        Mistake{"WrongSchema",
                {"compare", file_with("schema.json", R"({"schema": "dtbench.rnu/1"})"), "b.json"},
                {"/schema", "'dtbench.rnu/1'", "did you mean 'dtbench.run/1'?"}},
        Mistake{"AggregatesOnly",
                {"compare",
                 file_with("mean.json", R"({"benchmarks": [{"name": "f", "run_type": "aggregate", "real_time": 1}]})"),
                 "b.json"},
                {"aggregates only", "--benchmark_repetitions=9"}},
        Mistake{"NotANumber",
                {"compare", file_with("nan.json", R"({"benchmarks": [{"name": "f", "real_time": NaN}]})"), "b.json"},
                {"nan.json:1:", "not JSON"}},
        Mistake{"Threshold", {"compare", "a.json", "b.json", "--threshold", "3x"}, {"--threshold", "'3x'"}},
        Mistake{"NoThreshold", {"compare", "a.json", "b.json", "--threshold", "0%"}, {"--threshold", "above 0"}},
        Mistake{"Alpha", {"compare", "a.json", "b.json", "--alpha", "50%"}, {"--alpha", "at most 20%"}},
        Mistake{"Pattern", {"compare", "a.json", "b.json", "--only", "("}, {"--only", "a regular expression"}},
        Mistake{"History",
                {"compare", file_with("a.json", kMeasured), file_with("b.json", kMeasured), "--history", "/no/such"},
                {"--history", "a folder"}},
        Mistake{"UnknownField",
                {"compare", file_with("a.json", kMeasured), file_with("b.json", kMeasured),
                 "--allow-different-environment", "cpuu"},
                {"--allow-different-environment", "'cpuu'", "did you mean 'cpu'?"}},
        Mistake{"OverAnInput",
                {"compare", file_with("a.json", kMeasured), file_with("b.json", kMeasured), "--json",
                 temporary_path("a.json")},
                {"--json", "the file of the base result"}}),
    [](const auto& mistake) { return mistake.param.name; });

}  // namespace
}  // namespace dtbench
