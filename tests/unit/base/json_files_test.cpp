// The file half of json_reader.h: reading, writing, and knowing beforehand that writing will work.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "tests/support/error_message.h"
#include "topologies/base/json_reader.h"

namespace dtbench {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

class JsonFiles : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = (fs::temp_directory_path() / "dtbench-json-XXXXXX").string();
    ASSERT_NE(::mkdtemp(name.data()), nullptr);
    folder_ = name;
  }
  void TearDown() override { fs::remove_all(folder_); }

  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  static std::string text_of(const std::string& file) {
    std::ifstream in(file);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  std::size_t files() const {
    return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder_), fs::directory_iterator()));
  }

  fs::path folder_;
};

TEST_F(JsonFiles, AreReadBackAsWritten) {
  write_file_atomically(path("a.json"), "{\"a\": 1}");
  EXPECT_EQ(load_json_file(path("a.json")).dump(), "{\"a\":1}");
}

TEST_F(JsonFiles, WritingReplacesAndLeavesNothingBeside) {
  write_file_atomically(path("a.json"), "old");
  write_file_atomically(path("a.json"), "new");
  EXPECT_EQ(text_of(path("a.json")), "new");
  EXPECT_EQ(files(), 1u);
}

TEST_F(JsonFiles, WritingIntoAMissingFolderFailsWithTheReason) {
  try {
    write_file_atomically(path("no/a.json"), "x");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::run_failed);
    EXPECT_THAT(error.what(), HasSubstr("No such file or directory"));
  }
}

// A rename would put a plain file in the place of /dev/null, /dev/stdout or a named pipe.
TEST_F(JsonFiles, WritingToADeviceOrPipeWritesThroughIt) {
  ASSERT_EQ(::mkfifo(path("pipe").c_str(), 0600), 0);
  const int reader = ::open(path("pipe").c_str(), O_RDONLY | O_NONBLOCK);
  ASSERT_GE(reader, 0);
  EXPECT_EQ(message_of([&] { require_writable(path("pipe"), "--json"); }), "");
  write_file_atomically(path("pipe"), "hello");
  char buffer[16] = {};
  EXPECT_EQ(::read(reader, buffer, sizeof buffer), 5);
  EXPECT_STREQ(buffer, "hello");
  ::close(reader);
  EXPECT_TRUE(fs::is_fifo(path("pipe")));
}

TEST_F(JsonFiles, WritingThroughALinkKeepsTheLink) {
  write_file_atomically(path("target.json"), "old");
  fs::create_symlink(path("target.json"), path("link.json"));
  write_file_atomically(path("link.json"), "new");
  EXPECT_TRUE(fs::is_symlink(path("link.json")));
  EXPECT_EQ(text_of(path("target.json")), "new");
}

TEST_F(JsonFiles, RequireWritableLeavesTheTargetAsItWas) {
  require_writable(path("new.json"), "--json");
  EXPECT_EQ(files(), 0u);
  write_file_atomically(path("old.json"), "old");
  require_writable(path("old.json"), "--json");
  EXPECT_EQ(text_of(path("old.json")), "old");
  EXPECT_EQ(files(), 1u);
}

TEST_F(JsonFiles, RequireWritableNamesOptionAndReason) {
  EXPECT_EQ(message_of([] { require_writable("", "--json"); }), "--json: an empty file name; expected a path");
  EXPECT_EQ(message_of([&] { require_writable(path("no/a.json"), "--json"); }),
            "--json " + path("no/a.json") + ": folder '" + path("no") + "' does not exist (create it first)");
  EXPECT_EQ(message_of([&] { require_writable(folder_.string(), "--json"); }),
            "--json " + folder_.string() + ": a directory; expected a file name");
  EXPECT_NE(message_of([] { require_writable("/proc/none.json", "--json"); }), "");
}

TEST_F(JsonFiles, LoadingSaysWhatIsInTheWay) {
  EXPECT_EQ(message_of([&] { load_json_file(path("no.json")); }),
            path("no.json") + ": cannot be read: No such file or directory");
  EXPECT_EQ(message_of([&] { load_json_file(folder_.string()); }),
            folder_.string() + ": a directory; expected a JSON file");
  EXPECT_THAT(message_of([] { load_json_file("/dev/null"); }), HasSubstr("/dev/null:1:1"));
}

TEST_F(JsonFiles, LoadingStopsAtTheSizeLimitEvenWithoutAnEnd) {
  EXPECT_EQ(message_of([] { load_json_file("/dev/zero"); }),
            "/dev/zero: more than 64 MiB; expected a smaller JSON file");
  std::ofstream(path("huge.json")) << '0';
  fs::resize_file(path("huge.json"), (64u << 20) + 1);
  EXPECT_EQ(message_of([&] { load_json_file(path("huge.json")); }),
            path("huge.json") + ": more than 64 MiB; expected a smaller JSON file");
}

}  // namespace
}  // namespace dtbench
