#include "engine/plan/tensor.h"

#include <gtest/gtest.h>

#include "tests/unit/plan/expect_error.h"

namespace dtbench {
namespace {

TEST(Tensor, CountsElementsAndBytes) {
  Tensor tensor;
  tensor.shape = {3, 4, 5};
  EXPECT_EQ(tensor.elements(), 60);
  EXPECT_EQ(tensor.bytes(), 240);
  tensor.dtype = DType::float64;
  EXPECT_EQ(tensor.bytes(), 480);
  EXPECT_EQ(element_count({}), 1);
  EXPECT_EQ(text_of(tensor.shape), "[3,4,5]");
}

TEST(Tensor, RefusesSizesThatOverflow) {
  bad_input_of([] { element_count({std::int64_t{1} << 40, std::int64_t{1} << 40}); });
  bad_input_of([] { element_count({std::int64_t{1} << 30, std::int64_t{1} << 30}); });
}

}  // namespace
}  // namespace dtbench
