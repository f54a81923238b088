#include "engine/cpu/onednn_support.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <string_view>
#include <vector>

#include "engine/cpu/onednn_convolution.h"
#include "engine/cpu/onednn_matmul.h"
#include "engine/cpu/onednn_strided_matmul.h"
#include "engine/runtime/low_precision.h"
#include "topologies/base/error.h"

namespace dtbench {
namespace {

template <class Make>
bool can(const Make& make) {
  try {
    make();
    return true;
  } catch (const Error&) {
    return false;
  }
}

TEST(OnednnSupport, KnowsTheTypesOfTheLibrary) {
  EXPECT_TRUE(onednn_computes(DType::float32));
  EXPECT_FALSE(onednn_computes(DType::float16));
  EXPECT_FALSE(onednn_computes(DType::float64));
}

TEST(OnednnSupport, HasNoBfloat16WhereTheLibraryIsHeldToAvx2) {
  const char* limit = std::getenv("ONEDNN_MAX_CPU_ISA");
  if (limit == nullptr || std::string_view(limit) != "AVX2") GTEST_SKIP() << "runs with ONEDNN_MAX_CPU_ISA=AVX2";
  EXPECT_FALSE(onednn_computes(DType::bfloat16));
}

// One answer for every user of the library, although it is found by asking for a product.
TEST(OnednnSupport, HoldsForProductsAndConvolutions) {
  std::vector<Bfloat16> first(16), second(256), target(16);
  const DType type = DType::bfloat16;
  EXPECT_EQ(onednn_computes(type), can([&] {
              OnednnMatmul({.rows = 1,
                            .columns = 16,
                            .depth = 16,
                            .a = first.data(),
                            .b = second.data(),
                            .c = target.data(),
                            .type = type},
                           1);
            }));
  EXPECT_EQ(onednn_computes(type), can([&] {
              OnednnStridedMatmul({.rows = 2, .columns = 3, .stride = 4, .dtype = type},
                                  {.rows = 3, .columns = 2, .stride = 4, .dtype = type},
                                  {.rows = 2, .columns = 2, .stride = 4});
            }));
  ImageShape one_pixel;
  one_pixel.batch = one_pixel.height = one_pixel.width = one_pixel.out_height = one_pixel.out_width = 1;
  one_pixel.channels = one_pixel.filters = 16;
  const CoreTeam team({0});
  for (const auto pass : {ConvolutionPass::forward, ConvolutionPass::grad_input, ConvolutionPass::grad_weight}) {
    EXPECT_EQ(onednn_computes(type), can([&] {
                OnednnConvolution({.pass = pass,
                                   .shape = one_pixel,
                                   .dtype = type,
                                   .first = first.data(),
                                   .second = second.data(),
                                   .target = target.data()},
                                  team);
              }));
  }
}

}  // namespace
}  // namespace dtbench
