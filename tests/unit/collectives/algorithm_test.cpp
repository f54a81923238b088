#include "engine/collectives/algorithm.h"

#include <gtest/gtest.h>

#include "topologies/base/error.h"

namespace dtbench {
namespace {

TEST(CollectiveAlgorithms, AreFoundByName) {
  for (const CollectiveAlgorithm& algorithm : collective_algorithms())
    EXPECT_EQ(&collective_algorithm(algorithm.name), &algorithm);
}

TEST(CollectiveAlgorithms, SuggestTheNearestName) {
  try {
    collective_algorithm("hierachical");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::bad_input);
    EXPECT_EQ(error.parts().where, "--collective");
    EXPECT_EQ(error.parts().hint, "did you mean 'hierarchical'?");
  }
}

TEST(CollectiveAlgorithms, NeedSeveralNodesToBeHierarchical) {
  const CollectiveAlgorithm& hierarchical = collective_algorithm("hierarchical");
  EXPECT_FALSE(hierarchical.supports(CollectiveKind::all_reduce, {1, 8}));
  EXPECT_TRUE(hierarchical.supports(CollectiveKind::all_reduce, {2, 1}));
  EXPECT_FALSE(hierarchical.supports(CollectiveKind::all_gather, {2, 8}));
  EXPECT_FALSE(collective_algorithm("ring").supports(CollectiveKind::all_to_all, {1, 8}));
}

}  // namespace
}  // namespace dtbench
