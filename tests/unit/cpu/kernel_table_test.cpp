#include "engine/cpu/kernel_table.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/plan/op_rule.h"
#include "topologies/base/error.h"

namespace dtbench {
namespace {

using ::testing::HasSubstr;

std::vector<std::string_view> kinds_of_the_plan() {
  std::vector<std::string_view> kinds;
  for (const OpRule& rule : op_rules()) kinds.push_back(rule.kind);
  return kinds;
}

std::string message_of(const KernelRequest& request) {
  try {
    make_cpu_kernel(request, CoreTeam({0}));
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::bad_input);
    return error.what();
  }
  return "no error";
}

TEST(CpuKernelTable, HasEveryKindOfThePlan) {
  std::vector<std::string_view> kinds;
  for (const CpuKernelRow& row : cpu_kernels()) kinds.push_back(row.kind);
  EXPECT_THAT(kinds, ::testing::UnorderedElementsAreArray(kinds_of_the_plan()));
}

TEST(CpuKernelTable, NamesOperationAndKindItDoesNotHave) {
  PlanOp op;
  op.name = "layer1/convolution/forward";
  op.kind = "convolution";
  EXPECT_THAT(message_of({.op = op}), HasSubstr("layer1/convolution/forward: operation kind 'convolution'"));
}

TEST(CpuKernelTable, RefusesTypesItDoesNotCompute) {
  PlanOp op;
  op.name = "layer1/relu/forward";
  op.kind = "relu";
  const Buffer x{nullptr, {4}, DType::float64};
  EXPECT_THAT(message_of({.op = op, .inputs = {x}, .outputs = {x}}),
              HasSubstr("layer1/relu/forward: float64; expected float32"));
}

}  // namespace
}  // namespace dtbench
