#include "engine/train/data/idx_file.h"

#include <gtest/gtest.h>
#include <zlib.h>

#include <filesystem>
#include <fstream>

#include "topologies/base/error.h"

namespace dtbench {
namespace {

class IdxFile : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ =
        std::filesystem::path(::testing::TempDir()) / ::testing::UnitTest::GetInstance()->current_test_info()->name();
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::string write(const std::string& bytes) const {
    const std::string path = (folder_ / "file-idx").string();
    std::ofstream(path, std::ios::binary) << bytes;
    return path;
  }

  std::string message_for(const std::string& bytes) const {
    try {
      read_idx_file(write(bytes));
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ExitCode::bad_input);
      return error.what();
    }
    return "no error";
  }

  std::filesystem::path folder_;
};

const std::string kTwoByThree(
    "\0\0\x08\x02\0\0\0\x02\0\0\0\x03"
    "abcdef",
    18);

TEST_F(IdxFile, ReadsShapeAndValues) {
  const IdxArray array = read_idx_file(write(kTwoByThree));
  EXPECT_EQ(array.shape, (std::vector<std::int64_t>{2, 3}));
  EXPECT_EQ(std::string(array.values.begin(), array.values.end()), "abcdef");
}

TEST_F(IdxFile, ReadsGzip) {
  const std::string path = (folder_ / "file-idx.gz").string();
  gzFile out = gzopen(path.c_str(), "wb");
  gzwrite(out, kTwoByThree.data(), static_cast<unsigned>(kTwoByThree.size()));
  gzclose(out);
  EXPECT_EQ(read_idx_file(path).values.size(), 6u);
}

TEST_F(IdxFile, RefusesEveryTruncation) {
  for (std::size_t length = 0; length < kTwoByThree.size(); ++length)
    EXPECT_NE(message_for(kTwoByThree.substr(0, length)), "no error") << length << " bytes";
}

TEST_F(IdxFile, RefusesBytesAfterTheEnd) {
  EXPECT_NE(message_for(kTwoByThree + "x").find("more than the 6 values"), std::string::npos);
}

TEST_F(IdxFile, NamesTheWrongMagicNumber) {
  EXPECT_NE(message_for(std::string("\0\0\x0d\x01\0\0\0\x01"
                                    "a",
                                    9))
                .find("0x00000d01"),
            std::string::npos);
}

TEST_F(IdxFile, RefusesSizesThatDoNotFit) {
  EXPECT_NE(
      message_for(std::string("\0\0\x08\x03\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff", 16)).find("dimension"),
      std::string::npos);
}

TEST_F(IdxFile, NamesAMissingFile) {
  try {
    read_idx_file("/nonexistent/file");
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("/nonexistent/file"), std::string::npos);
  }
}

}  // namespace
}  // namespace dtbench
