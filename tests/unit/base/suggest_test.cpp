#include "topologies/base/suggest.h"

#include <gtest/gtest.h>

namespace dtbench {
namespace {

TEST(FoldName, IgnoresCaseSpacesHyphensUnderscoresAndDots) {
  EXPECT_EQ(fold_name("V100-SXM2-32GB"), fold_name("v100 sxm2_32.gb"));
  EXPECT_EQ(fold_name("aws-p2.8xlarge"), "awsp28xlarge");
  EXPECT_EQ(fold_name(" -_."), "");
}

TEST(FoldName, KeepsOtherBytes) { EXPECT_EQ(fold_name("\xC3\x97/+"), "\xC3\x97/+"); }

TEST(NearestName, FindsInsertionsDeletionsSubstitutionsAndSwaps) {
  const std::vector<std::string> names = {"mirrored", "single", "batch_per_replica", "K80"};
  EXPECT_EQ(nearest_name("miror", {"mirror"}), "mirror");
  EXPECT_EQ(nearest_name("mirrored_", names), "mirrored");
  EXPECT_EQ(nearest_name("singel", names), "single");
  EXPECT_EQ(nearest_name("batch-per-replicas", names), "batch_per_replica");
  EXPECT_EQ(nearest_name("K08", names), "K80");
}

TEST(NearestName, PrefersTheNearerAndThenTheFirst) {
  EXPECT_EQ(nearest_name("A10", {"H100", "A100"}), "A100");
  EXPECT_EQ(nearest_name("B100", {"A100", "H100"}), "A100");
}

TEST(NearestName, IsEmptyWhenNothingIsNear) {
  EXPECT_EQ(nearest_name("horovod", {"mirrored", "single"}), "");
  EXPECT_EQ(nearest_name("anything", {}), "");
  EXPECT_EQ(nearest_name("", {"lr"}), "");
}

TEST(NearestName, DoesNotOfferANameThatSharesNothing) {
  EXPECT_EQ(nearest_name("zz", {"lr"}), "");
  EXPECT_EQ(nearest_name("x", {"lr", "q"}), "");
}

TEST(NearestName, StaysQuickOnAbsurdlyLongNames) { EXPECT_EQ(nearest_name(std::string(1 << 20, 'a'), {"mlp"}), ""); }

TEST(DidYouMean, IsAQuestionOrNothing) {
  EXPECT_EQ(did_you_mean("resnet5", {"resnet50"}), "did you mean 'resnet50'?");
  EXPECT_EQ(did_you_mean("gpt", {"resnet50"}), "");
}

TEST(OneOf, JoinsWithCommasAndOr) {
  EXPECT_EQ(one_of({}), "");
  EXPECT_EQ(one_of({"a"}), "'a'");
  EXPECT_EQ(one_of({"a", "b"}), "'a' or 'b'");
  EXPECT_EQ(one_of({"a", "b", "c"}), "'a', 'b' or 'c'");
}

}  // namespace
}  // namespace dtbench
