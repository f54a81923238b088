#include "engine/cpu/peak.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>

#include "engine/cpu/core_team.h"
#include "engine/cpu/host_probe.h"
#include "engine/cpu/onednn_matmul.h"

namespace dtbench {
namespace {

double best_product_rate(OnednnMatmul& product, double flops) {
  double best = 0;
  for (int round = 0; round < 20; ++round) {
    const auto start = std::chrono::steady_clock::now();
    product.run();
    best = std::max(best, flops / std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
  }
  return best;
}

// In turns on the same core, the best of both: other programs slow a core down for longer than either takes.
TEST(MachinePeak, StandsAboveWhatAMatrixProductReaches) {
  const std::vector<int> first_core = {make_host_probe()->facts().core_cpus.front()};
  CoreTeam(first_core).lead();
  constexpr std::int64_t kSize = 256;
  std::vector<float> a(kSize * kSize, 1), b = a, c = a;
  OnednnMatmul product({.rows = kSize, .columns = kSize, .depth = kSize, .a = a.data(), .b = b.data(), .c = c.data()},
                       1);
  double peak = 0, reached = 0;
  for (int turn = 0; turn < 20; ++turn) {
    peak = std::max(peak, measure_flops_per_second(first_core, 0.02));
    reached = std::max(reached, best_product_rate(product, 2.0 * kSize * kSize * kSize));
  }
  EXPECT_LT(reached, 1.1 * peak);
  EXPECT_GT(reached, 0.3 * peak) << "no product is that slow: the peak is too high";
}

TEST(MachinePeak, HasRatesOfMemoryAndCache) {
  const MachinePeak peak = measure_peak({make_host_probe()->facts().core_cpus.front()}, 0.1);
  EXPECT_EQ(peak.isa, widest_isa());
  EXPECT_GT(peak.flops_per_second, 0);
  EXPECT_GT(peak.memory_bytes_per_second, 0);
  EXPECT_GT(peak.cache_bytes_per_second, 0);
}

}  // namespace
}  // namespace dtbench
