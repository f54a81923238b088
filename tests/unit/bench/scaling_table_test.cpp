#include "bench/validation/scaling_table.h"

#include <gtest/gtest.h>

#include "bench/validation/published_data.h"
#include "tests/support/error_message.h"

namespace dtbench {
namespace {

const std::string kScalingHeader =
    "series,id,source,framework,model,topology,devices,nodes,precision,value,batch_per_device,grad_accum,unit,"
    "global_batch\n";

ScalingTable read(const std::string& lines) {
  return read_scaling_table(CsvTable::parse(kScalingHeader + lines, "t.csv", scaling_columns()));
}

TEST(ScalingTable, AnchorsAreTheRowsWithTheFewestDevices) {
  const ScalingTable table =
      read("A,a4,lab,f,m,2x2xV100@dgx1,4,2,fp32,40,8,,i/s,\nA,a2,lab,f,m,2xV100@dgx1,2,1,fp32,10,8,,i/s,\n"
           "A,a3,lab,f,m,2xV100@dgx1,2,1,fp32,22.5,8,,i/s,\n");
  ASSERT_EQ(table.series.size(), 1u);
  EXPECT_EQ(table.series[0].anchors.size(), 2u);
  EXPECT_DOUBLE_EQ(table.series[0].anchor_value(), 15) << "geometric mean";
  ASSERT_EQ(table.series[0].targets.size(), 1u);
  EXPECT_EQ(table.series[0].targets[0].system, "V100@dgx1");
}

TEST(ScalingTable, ASeriesOfOneCountIsSkippedWithItsReason) {
  const ScalingTable table = read("A,a,lab,f,m,1xV100@dgx1,1,1,fp32,40,8,,i/s,\n");
  EXPECT_TRUE(table.series.empty());
  ASSERT_EQ(table.skipped.size(), 1u);
  EXPECT_EQ(table.skipped[0].line, 2);
}

TEST(ScalingTable, TheBatchOfADeviceFollowsFromTheGlobalOne) {
  const ScalingTable table = read("A,a,lab,f,m,1xT4,1,1,fp32,40,,2,i/s,64\nA,b,lab,f,m,4xT4,4,1,fp32,150,,2,i/s,256\n");
  EXPECT_EQ(table.series[0].anchors[0].batch_per_device, 32);
  EXPECT_EQ(table.series[0].targets[0].batch_per_device, 32);
}

TEST(ScalingTable, RefusesAnotherUnitAndTooManyNodes) {
  EXPECT_NE(message_of([] { read("A,a,l,f,m,T4,1,1,fp32,4,8,,i/s,\nA,b,l,f,m,2xT4,2,1,fp32,7,8,,t/s,\n"); })
                .find("t.csv:3, column 'unit': 't/s'; expected 'i/s'"),
            std::string::npos);
  EXPECT_NE(message_of([] { read("A,a,l,f,m,T4,1,2,fp32,4,8,,i/s,\n"); }).find("column 'nodes'"), std::string::npos);
}

TEST(ScalingTable, ThePublishedOneIsThere) {
  const ScalingTable table =
      read_scaling_table(CsvTable::load(published_data_file("scaling.csv"), scaling_columns()));
  EXPECT_EQ(table.series.size(), 360u);
}

}  // namespace
}  // namespace dtbench
