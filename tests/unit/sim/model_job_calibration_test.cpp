#include "sim/model/job_calibration.h"

#include <gtest/gtest.h>

#include <map>

#include "topologies/topology_library.h"

namespace dtbench {
namespace {

class NoHost : public HostProbe {
 public:
  HostFacts facts() const override { return {}; }
};

struct Case {
  Topology topology;
  Calibration before, after;
};

Case shipped(const std::string& spelling, const std::string& task) {
  Case made;
  made.topology = TopologyLibrary().resolve(spelling, NoHost());
  made.before = shipped_calibration(made.topology, data_directory());
  made.after = with_job_parameters(made.before, made.topology,
                                   job_parameters_from_json_file(shipped_job_parameters_file(data_directory())), task, 0.1);
  return made;
}

TEST(JobCalibration, PublishedJobsSayWhatLinksGive) {
  for (const char* spelling : {"8xA100@hgx-a100", "8xV100@dgx1", "4xRTX3090@pcie", "2x8xA100@dgx-a100"}) {
    const Case made = shipped(spelling, "image classification");
    const LinkCalibration& link = made.after.link(made.topology.within_node.link_class);
    EXPECT_EQ(link.efficiency.origin, Origin::fitted) << spelling;
    EXPECT_GT(link.efficiency.value, 0.02) << spelling;
    EXPECT_LE(link.efficiency.value, 1) << spelling;
    EXPECT_GT(link.efficiency.ln_sd, 0.5) << "an unseen machine: a factor of two";
    EXPECT_GT(made.after.parallel_overhead_seconds.value, 0) << spelling;
    EXPECT_LT(made.after.parallel_overhead_seconds.value, 0.02) << spelling;
    EXPECT_GE(made.after.crowding.value, 1) << spelling;
    EXPECT_EQ(made.after.ops, made.before.ops) << "computing is the anchor's business";
  }
}

TEST(JobCalibration, ThePublishedTaskNarrowsTheBelief) {
  const Case known = shipped("8xV100@dgx1", "image classification"), unknown = shipped("8xV100@dgx1", "");
  EXPECT_LT(known.after.overlap_slowdown.ln_sd, unknown.after.overlap_slowdown.ln_sd);
}

TEST(JobCalibration, AShortStepLosesAShareOnly) {
  const Case made = shipped("8xV100@dgx1", "");
  const Calibration brief =
      with_job_parameters(made.before, made.topology,
                          job_parameters_from_json_file(shipped_job_parameters_file(data_directory())), "", 1e-3);
  EXPECT_DOUBLE_EQ(brief.parallel_overhead_seconds.value, 1e-4);
}

TEST(JobCalibration, OneDeviceHasNothingToExchange) {
  const Case made = shipped("1xA100@hgx-a100", "");
  EXPECT_EQ(made.after, made.before);
}

}  // namespace
}  // namespace dtbench
