#include "topologies/topology_spec.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include "tests/support/error_message.h"

namespace dtbench {
namespace {

using testing::HasSubstr;

TopologySpec named(int nodes, int per_node, bool nodes_given, std::string device, std::string system = "") {
  return {TopologySpec::Kind::named, nodes, per_node, nodes_given, std::move(device), std::move(system), ""};
}

std::string spec_refusal(const std::string& text) {
  return message_of([&] { parse_topology_spec(text); });
}

TEST(TopologySpec, ReadsCountsDeviceAndSystem) {
  EXPECT_EQ(parse_topology_spec("8xA100"), named(1, 8, false, "A100"));
  EXPECT_EQ(parse_topology_spec("1x8xA100"), named(1, 8, true, "A100"));
  EXPECT_EQ(parse_topology_spec("4x8xV100@dgx1"), named(4, 8, true, "V100", "dgx1"));
  EXPECT_EQ(parse_topology_spec("512x8xA100-SXM4-80GB@hgx-a100"), named(512, 8, true, "A100-SXM4-80GB", "hgx-a100"));
  EXPECT_EQ(parse_topology_spec("8xK80@aws-p2.8xlarge"), named(1, 8, false, "K80", "aws-p2.8xlarge"));
}

TEST(TopologySpec, TakesOneDeviceWhereNoCountStands) {
  EXPECT_EQ(parse_topology_spec("RTX 3090"), named(1, 1, false, "RTX 3090"));
}

TEST(TopologySpec, TakesAnyTimesSignAndSpaces) {
  for (const char* text : {"2x8xRTX 3090@pcie", "2X8XRTX 3090@pcie",
                           "2\xC3\x97"
                           "8\xC3\x97RTX 3090@pcie",
                           "  2 x 8 x RTX 3090 @ pcie \t\n"})
    EXPECT_EQ(parse_topology_spec(text), named(2, 8, true, "RTX 3090", "pcie")) << text;
}

TEST(TopologySpec, DoesNotTakeAnXInANameForACount) {
  EXPECT_EQ(parse_topology_spec("xA100").device, "xA100");
  EXPECT_EQ(parse_topology_spec("8xxA100").device, "xA100");
}

TEST(TopologySpec, KnowsHostAndFiles) {
  for (const char* text : {"host", "HOST", " Host "})
    EXPECT_EQ(parse_topology_spec(text).kind, TopologySpec::Kind::host) << text;
  const TopologySpec file = parse_topology_spec(" my folder/4xBig.JSON ");
  EXPECT_EQ(file.kind, TopologySpec::Kind::file);
  EXPECT_EQ(file.path, "my folder/4xBig.JSON");
}

TEST(TopologySpec, SaysWhatIsWrongAndShowsTheGrammar) {
  const std::pair<const char*, const char*> cases[] = {
      {"", "an empty name"},
      {"  \t ", "an empty name"},
      {"8x", "no device name"},
      {"8", "no device name"},
      {"4x8", "no device name"},
      {"@dgx1", "no device name"},
      {"8x@dgx1", "no device name"},
      {"0xA100", "a count of 0"},
      {"2x0xA100", "a count of 0"},
      {"-8xA100", "a negative count '-8'"},
      {"2x-8xA100", "a negative count '-8'"},
      {"99999999999999999999xA100", "count '99999999999999999999'"},
      {"1048577xA100", "count '1048577'"},
      {"1048576x8xA100", "8388608 devices"},
      {"2x2x8xA100", "3 counts"},
      {"8xA100@", "'@' without a system name"},
      {"8xA100@a@b", "character '@' in the system name"},
      {"8xA100/2", "character '/' in the device name"},
      {"2*8xA100", "(write x between the numbers)"},
      {"8xA\xff", "character '\\xff' in the device name"},
      {"2xhost", "'host' with a count or system"},
      {"host@dgx1", "'host' with a count or system"},
  };
  for (const auto& [text, found] : cases) {
    EXPECT_THAT(spec_refusal(text), HasSubstr(found)) << text;
    EXPECT_THAT(spec_refusal(text), HasSubstr("[<nodes>x]<devices per node>x<device>[@<system>]")) << text;
  }
}

TEST(TopologySpec, QuotesNoMoreThanALineOfALongName) {
  const std::string message = spec_refusal("8x" + std::string(100000, 'A'));
  EXPECT_THAT(message, HasSubstr("100002 characters"));
  EXPECT_LT(message.size(), 400u);
}

TEST(TopologySpec, TakesTheGreatestCounts) {
  EXPECT_EQ(parse_topology_spec("1048576x1xA100").nodes, 1 << 20);
  EXPECT_EQ(parse_topology_spec("1048576xA100").devices_per_node, 1 << 20);
}

// Whatever comes in, an Error or a spec that means the same when it is written out again.
TEST(TopologySpec, NeverCrashesAndSurvivesBeingWrittenOut) {
  constexpr unsigned kSeed = 20240607;
  const std::string pool = std::string("0123456789xX-@. _*/A1v\t\xC3\x97\xff", 27) + std::string(1, '\0');
  std::mt19937 random(kSeed);
  int accepted = 0;
  for (int round = 0; round < 100000; ++round) {
    std::string text(random() % 14, ' ');
    for (char& c : text) c = pool[random() % pool.size()];
    if (random() % 4 == 0) text.insert(0, "2x8xA");
    TopologySpec spec;
    try {
      spec = parse_topology_spec(text);
    } catch (const Error&) {
      continue;
    }
    if (spec.kind != TopologySpec::Kind::named) continue;
    ++accepted;
    const std::string again = std::to_string(spec.nodes) + "x" + std::to_string(spec.devices_per_node) + "x" +
                              spec.device + (spec.system.empty() ? "" : "@" + spec.system);
    spec.nodes_given = true;
    ASSERT_EQ(parse_topology_spec(again), spec) << "seed " << kSeed << " round " << round << ": " << text;
  }
  EXPECT_GT(accepted, 1000);
}

}  // namespace
}  // namespace dtbench
