// Listings of plans as committed under plan/. DTBENCH_ACCEPT_GOLDEN=1 rewrites them; read the difference before
// committing it.
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <sstream>

#include "engine/plan/plan_step.h"

namespace dtbench {
namespace {

std::string read_file(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}

void expect_golden(const std::string& name, const std::string& text) {
  const std::string path = std::string(DTBENCH_GOLDEN_DIRECTORY) + "/" + name;
  const char* accept = std::getenv("DTBENCH_ACCEPT_GOLDEN");
  if (accept != nullptr && std::string(accept) == "1") {
    ASSERT_TRUE((std::ofstream(path, std::ios::binary) << text).good()) << path;
    GTEST_SKIP() << "rewrote " << path;
  }
  EXPECT_EQ(text, read_file(path)) << "run with DTBENCH_ACCEPT_GOLDEN=1 if this is wanted";
}

StepRequest request_on(GroupShape shape) {
  StepRequest request;
  request.model_options = {{"hidden", 256}, {"layers", 2}};
  request.replicas = shape.ranks();
  request.shape = shape;
  request.bucket_bytes = 300'000;
  return request;
}

TEST(PlanListing, OfOneDevice) {
  StepRequest request = request_on({1, 1});
  request.strategy = "single";
  expect_golden("plan/mlp_single.txt", plan_listing(plan_step(request)));
}

TEST(PlanListing, OfOneNodeWithoutOverlap) {
  StepRequest request = request_on({1, 8});
  request.traits.overlaps_communication = false;
  expect_golden("plan/mlp_mirrored_8_no_overlap.txt", plan_listing(plan_step(request)));
}

TEST(PlanListing, OfManyNodesWithPrefetchedInput) {
  StepRequest request = request_on({512, 8});
  request.traits.prefetches_input = true;
  request.traits.workspace_bytes = 32 << 20;
  expect_golden("plan/mlp_mirrored_512x8_prefetch.txt", plan_listing(plan_step(request)));
}

TEST(PlanListing, OfAnEvaluation) {
  expect_golden("plan/mlp_evaluation.txt", plan_listing(plan_evaluation(request_on({1, 1}))));
}

}  // namespace
}  // namespace dtbench
