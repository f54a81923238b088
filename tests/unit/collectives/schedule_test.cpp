#include "engine/collectives/schedule.h"

#include <gtest/gtest.h>

#include "topologies/base/error.h"

namespace dtbench {
namespace {

TEST(ChunkRange, CutsAnyCountIntoAdjacentNearlyEqualChunks) {
  const std::int64_t large = (std::int64_t{1} << 60) + 7;
  for (const std::int64_t count : {std::int64_t{0}, std::int64_t{1}, std::int64_t{31}, std::int64_t{1001}, large})
    for (int chunks = 1; chunks <= 33; ++chunks) {
      std::int64_t next = 0;
      for (int chunk = 0; chunk < chunks; ++chunk) {
        const ChunkRange range = chunk_range(count, chunks, chunk);
        ASSERT_EQ(range.first, next) << count << " in " << chunks;
        ASSERT_GE(range.count, count / chunks);
        ASSERT_LE(range.count, count / chunks + 1);
        next += range.count;
      }
      ASSERT_EQ(next, count);
    }
}

TEST(ChunkRange, IsTheFormulaOfItsHeader) {
  for (std::int64_t count = 0; count < 100; ++count)
    for (int chunk = 0; chunk < 7; ++chunk) {
      EXPECT_EQ(chunk_range(count, 7, chunk).first, chunk * count / 7);
      EXPECT_EQ(chunk_range(count, 7, chunk).count, (chunk + 1) * count / 7 - chunk * count / 7);
    }
}

TEST(ScheduleSize, RefusesToWriteOutHugeGroups) {
  EXPECT_NO_THROW(require_schedule_size({256, 8}));
  try {
    require_schedule_size({8192, 8});
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::bad_input);
    EXPECT_NE(std::string(error.what()).find("8192 x 8 ranks"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace dtbench
