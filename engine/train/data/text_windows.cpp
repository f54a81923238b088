#include "engine/train/data/text_windows.h"

#include <fmt/core.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "engine/plan/models/input_names.h"
#include "engine/train/data/plan_inputs.h"
#include "topologies/base/error.h"

namespace dtbench {

namespace {

constexpr std::int64_t kBytes = 256;
constexpr std::int64_t kTestShare = 10;  // one part in so many

std::string read_text(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  if (!file.is_open() || file.bad()) throw_bad_input({path.string(), "cannot be read", "a text file", ""});
  return text;
}

class TextWindows : public ExampleSet {
 public:
  TextWindows(std::string name, std::int64_t length) : name_(std::move(name)), length_(length) {}

  void add(std::string_view text) {
    const std::int64_t base = static_cast<std::int64_t>(bytes_.size());
    // A window needs the byte after it.
    for (std::int64_t at = 0; at + length_ < static_cast<std::int64_t>(text.size()); at += length_)
      starts_.push_back(base + at);
    bytes_ += text;
  }

  std::int64_t examples() const override { return static_cast<std::int64_t>(starts_.size()); }

  void fill(std::int64_t index, std::int64_t place, std::int64_t batch,
            std::span<const InputField> fields) const override {
    const auto tokens = part_of_example(integers_of(fields, kTokens), place, batch);
    const auto next = part_of_example(integers_of(fields, kNextTokens), place, batch);
    const auto* from = reinterpret_cast<const unsigned char*>(bytes_.data()) + starts_[static_cast<std::size_t>(index)];
    std::copy_n(from, tokens.size(), tokens.begin());
    std::copy_n(from + 1, next.size(), next.begin());
  }

  void require_fit(const StepPlan& plan) const override {
    const Tensor& tokens = input_of_plan(plan, kTokens, name_);
    input_of_plan(plan, kNextTokens, name_);
    DTBENCH_CHECK(tokens.elements() == plan.batch_per_replica * length_);
    const std::int64_t vocabulary = logits_of_plan(plan).shape.back();
    if (vocabulary < kBytes)
      throw_bad_input({"--vocab", fmt::format("{}", vocabulary), fmt::format("at least the {} bytes", kBytes), ""});
  }

 private:
  std::string name_, bytes_;
  std::int64_t length_;
  std::vector<std::int64_t> starts_;
};

}  // namespace

std::vector<std::string> read_texts(const std::string& path) {
  if (!std::filesystem::is_directory(path)) return {read_text(path)};
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(path))
    if (entry.is_regular_file() && !entry.is_symlink()) files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  std::vector<std::string> texts;
  for (const auto& file : files) texts.push_back(read_text(file));
  return texts;
}

TrainingData text_data(const std::string& name, const std::vector<std::string>& texts, std::int64_t length) {
  const auto train = std::make_shared<TextWindows>(name, length), test = std::make_shared<TextWindows>(name, length);
  for (const std::string_view text : texts) {
    const std::size_t split = text.size() - text.size() / kTestShare;
    train->add(text.substr(0, split));
    test->add(text.substr(split));
  }
  if (train->examples() == 0 || test->examples() == 0)
    throw_bad_input({name, fmt::format("{} texts too short for windows of {} bytes", texts.size(), length),
                     fmt::format("texts of more than {} bytes", kTestShare * (length + 1)), "lower --seq-len"});
  return {name, train, test};
}

}  // namespace dtbench
