#include "engine/reference/kernel_table.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/plan/op_rule.h"
#include "engine/reference/reference_device.h"
#include "tests/support/op_case.h"
#include "topologies/base/error.h"

namespace dtbench {
namespace {

using ::testing::HasSubstr;

std::vector<std::string_view> kinds_of_the_plan() {
  std::vector<std::string_view> kinds;
  for (const OpRule& rule : op_rules()) kinds.push_back(rule.kind);
  return kinds;
}

TEST(ReferenceKernelTable, HasEveryKindOfThePlan) {
  std::vector<std::string_view> kinds;
  for (const ReferenceKernelRow& row : reference_kernels()) kinds.push_back(row.kind);
  EXPECT_THAT(kinds, ::testing::UnorderedElementsAreArray(kinds_of_the_plan()));
}

TEST(OpCase, CoversEveryKindOfThePlan) {
  EXPECT_THAT(testing::op_case_kinds(), ::testing::UnorderedElementsAreArray(kinds_of_the_plan()));
}

TEST(ReferenceKernelTable, NamesOperationAndKindItDoesNotHave) {
  PlanOp op;
  op.name = "layer1/convolution/forward";
  op.kind = "convolution";
  try {
    make_reference_kernel({.op = op});
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::bad_input);
    EXPECT_THAT(error.what(), HasSubstr("layer1/convolution/forward: operation kind 'convolution'"));
  }
}

TEST(ReferenceKernelTable, RefusesTypesItDoesNotCompute) {
  PlanOp op;
  op.name = "layer1/relu/forward";
  op.kind = "relu";
  const Buffer whole{nullptr, {4}, DType::int32};
  try {
    make_reference_kernel({.op = op, .inputs = {whole}, .outputs = {whole}});
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("layer1/relu/forward: int32; expected float32, float64, bfloat16 or float16"));
  }
}

}  // namespace
}  // namespace dtbench
