#include "engine/cpu/peak.h"

#include <gtest/gtest.h>

#include <chrono>

#include "engine/cpu/host_probe.h"
#include "engine/cpu/onednn_matmul.h"

namespace dtbench {
namespace {

TEST(MachinePeak, StandsAboveWhatAMatrixProductReaches) {
  const std::vector<int> first_core = {make_host_probe()->facts().core_cpus.front()};
  const MachinePeak peak = measure_peak(first_core, 0.1);
  EXPECT_EQ(peak.isa, widest_isa());
  EXPECT_GT(peak.memory_bytes_per_second, 0);
  EXPECT_GT(peak.cache_bytes_per_second, 0);

  constexpr std::int64_t kSize = 256;
  std::vector<float> a(kSize * kSize, 1), b = a, c = a;
  OnednnMatmul product({.rows = kSize, .columns = kSize, .depth = kSize, .a = a.data(), .b = b.data(), .c = c.data()},
                       1);
  double best = 1e9;
  for (int round = 0; round < 20; ++round) {
    const auto start = std::chrono::steady_clock::now();
    product.run();
    best = std::min(best, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
  }
  EXPECT_LT(2.0 * kSize * kSize * kSize / best, 1.1 * peak.flops_per_second);
}

}  // namespace
}  // namespace dtbench
