// The commands that README.md shows with `build/dtbench` really work as written, one after the other.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <set>
#include <sstream>

#include "tests/cli/program.h"

namespace dtbench {
namespace {

constexpr std::string_view kPrompt = "$ build/dtbench ";
const std::set<std::string> kMeasuring = {"run", "calibrate", "verify"};

// Words up to a comment; files go to a temporary folder, measuring is kept short.
std::vector<std::string> words_of(const std::string& line) {
  std::vector<std::string> words;
  std::istringstream in(line);
  for (std::string word; in >> word && word != "#";)
    words.push_back(word.ends_with(".json") ? temporary_path(word) : word);
  if (kMeasuring.contains(words.front())) words.insert(words.end(), {"--time-budget", time_budget(5)});
  return words;
}

std::vector<std::vector<std::string>> readme_commands() {
  std::ifstream in(std::string(std::getenv("DTBENCH_SOURCE")) + "/README.md");
  std::vector<std::vector<std::string>> commands;
  for (std::string line; std::getline(in, line);)
    if (line.starts_with(kPrompt)) commands.push_back(words_of(line.substr(kPrompt.size())));
  return commands;
}

TEST(Readme, CommandsWorkAsWritten) {
  const auto commands = readme_commands();
  ASSERT_GE(commands.size(), 5u);
  for (const auto& words : commands) {
    if (words.front() == "train") continue;  // a test of its own: it takes a while
    const Outcome outcome = dtbench_says(words);
    // verify: a busy machine may well be off by more than the tolerance.
    const bool may_be_off = words.front() == "verify" && outcome.status == 1;
    EXPECT_TRUE(outcome.status == 0 || may_be_off) << shown(words) << "\n" << outcome.err;
    EXPECT_FALSE(outcome.out.empty()) << shown(words);
  }
}

}  // namespace
}  // namespace dtbench
