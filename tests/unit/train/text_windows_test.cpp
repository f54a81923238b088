#include "engine/train/data/text_windows.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "engine/plan/plan_step.h"
#include "topologies/base/error.h"

namespace dtbench {
namespace {

std::string letters(std::size_t count) {
  std::string text;
  for (std::size_t i = 0; i < count; ++i) text += static_cast<char>('a' + i % 26);
  return text;
}

TEST(TextWindows, HaveTheByteAfterEachByte) {
  const TrainingData data = text_data("text", {letters(100)}, 4);
  EXPECT_EQ(data.train->examples(), 22);  // 90 bytes: 22 windows with a byte after them
  EXPECT_EQ(data.test->examples(), 2);
  std::vector<std::int32_t> tokens(8), next(8);
  const InputField fields[] = {{"tokens", {}, tokens}, {"next_tokens", {}, next}};
  data.train->fill(0, 1, 2, fields);
  data.train->fill(21, 0, 2, fields);
  EXPECT_EQ(tokens, (std::vector<std::int32_t>{'g', 'h', 'i', 'j', 'a', 'b', 'c', 'd'}));
  EXPECT_EQ(next, (std::vector<std::int32_t>{'h', 'i', 'j', 'k', 'b', 'c', 'd', 'e'}));
}

TEST(TextWindows, DoNotRunFromOneTextIntoTheNext) {
  const TrainingData data = text_data("text", {letters(100), letters(100)}, 8);
  EXPECT_EQ(data.train->examples(), 22);  // 11 each; 180 bytes in one piece would have 22 and a half
  EXPECT_EQ(data.test->examples(), 2);
  std::vector<std::int32_t> tokens(8), next(8);
  const InputField fields[] = {{"tokens", {}, tokens}, {"next_tokens", {}, next}};
  data.train->fill(11, 0, 1, fields);
  EXPECT_EQ(tokens[0], 'a') << "the second text begins with a window of its own";
}

TEST(TextWindows, ReadBytesAboveAscii) {
  const TrainingData data = text_data("text", {std::string(100, '\xff')}, 4);
  std::vector<std::int32_t> tokens(4), next(4);
  const InputField fields[] = {{"tokens", {}, tokens}, {"next_tokens", {}, next}};
  data.train->fill(0, 0, 1, fields);
  EXPECT_EQ(tokens[0], 255);
}

TEST(TextWindows, RefuseTextsTooShortForAWindow) { EXPECT_THROW(text_data("text", {letters(100)}, 10), Error); }

TEST(TextWindows, FitALanguageModelOfBytes) {
  const TrainingData data = text_data("text", {letters(1000)}, 8);
  StepRequest request{.model = "gpt_small", .model_options = {{"seq-len", 8}, {"layers", 1}}, .batch_per_replica = 2};
  data.train->require_fit(plan_step(request));
  request.model_options["vocab"] = 100;
  EXPECT_THROW(data.train->require_fit(plan_step(request)), Error);
  request.model = "bert_mini";
  EXPECT_THROW(data.train->require_fit(plan_step(request)), Error);
}

TEST(ReadTexts, ReadsTheFilesOfAFolderInTheOrderOfTheirNamesButNoLinks) {
  const std::filesystem::path folder = std::filesystem::path(testing::TempDir()) / "texts";
  std::filesystem::remove_all(folder);
  std::filesystem::create_directories(folder);
  std::ofstream(folder / "b") << "second";
  std::ofstream(folder / "a") << "first";
  std::filesystem::create_symlink("a", folder / "c");
  EXPECT_EQ(read_texts(folder.string()), (std::vector<std::string>{"first", "second"}));
  EXPECT_EQ(read_texts((folder / "a").string()), (std::vector<std::string>{"first"}));
  EXPECT_THROW(read_texts((folder / "absent").string()), Error);
}

}  // namespace
}  // namespace dtbench
