#include "engine/plan/reshape_views.h"

#include <gtest/gtest.h>

namespace dtbench {
namespace {

TensorId add_viewed(Graph& graph, std::string name, Shape shape, TensorRole role) {
  return graph.add_tensor({std::move(name), std::move(shape), DType::float32, role, {}, {}, {}});
}

TEST(ReshapeViews, LeaveNoOperationAndNoMemory) {
  Graph graph;
  const TensorId x = add_viewed(graph, "x", {2, 3, 4}, TensorRole::input);
  const TensorId flat = graph.add_op("reshape", "a/forward", {x}, {{"dim1", 12}});
  const TensorId again = graph.add_op("reshape", "b/forward", {flat}, {{"dim1", 4}, {"dim2", 3}});
  graph.add_op("relu", "c/forward", {again});
  turn_reshapes_into_views(graph);
  ASSERT_EQ(graph.ops.size(), 1U);
  EXPECT_EQ(graph.ops[0].inputs, std::vector{again});
  const View whole{x, 0};
  EXPECT_EQ(graph.tensors[static_cast<std::size_t>(flat)].view, whole);
  EXPECT_EQ(graph.tensors[static_cast<std::size_t>(again)].view, whole) << "not a view of a view";
}

TEST(ReshapeViews, CopyParameters) {
  Graph graph;
  const TensorId w = add_viewed(graph, "w", {2, 6}, TensorRole::parameter);
  graph.add_op("reshape", "a/forward", {w}, {{"dim1", 2}, {"dim2", 3}});
  turn_reshapes_into_views(graph);
  EXPECT_EQ(graph.ops.size(), 1U);
}

}  // namespace
}  // namespace dtbench
