#include "bench/comparison_inputs.h"

#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <regex>
#include <system_error>
#include <tuple>

#include "bench/turns.h"
#include "reports/regression/google_benchmark.h"
#include "reports/regression/sample_file.h"
#include "topologies/base/error.h"
#include "topologies/base/units.h"

namespace dtbench {

namespace fs = std::filesystem;

namespace {

std::vector<std::string> split(const std::string& text) {
  std::vector<std::string> words;
  for (std::size_t first = 0; first <= text.size();) {
    const std::size_t comma = std::min(text.find(',', first), text.size());
    if (comma > first) words.push_back(text.substr(first, comma - first));
    first = comma + 1;
  }
  return words;
}

std::regex regex_of(const std::string& text) {
  constexpr std::size_t kLongest = 200;  // std::regex recurses
  if (text.size() > kLongest) throw_bad_input({"--only", "a pattern of more than 200 characters", "a shorter one", ""});
  try {
    return std::regex(text, std::regex::ECMAScript | std::regex::optimize);
  } catch (const std::regex_error& error) {
    throw_bad_input({"--only", fmt::format("'{}': {}", text, error.what()), "a regular expression", ""});
  }
}

// However they are spelled.
bool is_same_file(const std::string& a, const std::string& b) {
  std::error_code ignored;
  return fs::equivalent(a, b, ignored);
}

}  // namespace

double parse_share(const std::string& text, const std::string& option) {
  std::string number = text;
  double unit = 1;
  if (number.ends_with('%')) {
    unit = 0.01;
    number.pop_back();
    while (number.ends_with(' ')) number.pop_back();
  }
  const double share = unit * parse_number(number, option);
  if (!(share > 0 && share <= 10)) throw_bad_input({option, text, "a share above 0, such as 3% or 0.03", ""});
  return share;
}

std::vector<SampleFile> read_history(const std::string& folder) {
  std::error_code error;
  if (!fs::is_directory(folder, error)) throw_bad_input({"--history", folder, "a folder of result files", ""});
  std::vector<SampleFile> files;
  for (const auto& entry : fs::directory_iterator(folder, error)) {
    if (entry.path().extension() != ".json") continue;
    try {
      files.push_back(sample_file_from_path(entry.path().string()));
    } catch (const Error& fault) {
      fmt::print(stderr, "dtbench: warning: left out of the history: {}\n", fault.what());
    }
  }
  if (error) throw_bad_input({"--history " + folder, error.message(), "a folder that can be read", ""});
  sort_by_time(files);
  return files;
}

std::string google_benchmark_of(const SampleFile& file) {
  std::vector<LeftOut> left_out;
  std::string text = google_benchmark_text(file, left_out);
  for (const LeftOut& metric : left_out)
    fmt::print(stderr, "dtbench: warning: {} is not in the Google Benchmark file: {}\n", metric.name, metric.reason);
  return text;
}

std::shared_ptr<ComparisonInputs> ComparisonInputs::declare(CLI::App& app) {
  auto inputs = std::make_shared<ComparisonInputs>();
  app.add_option("base", inputs->base_, "result to compare with: of run, verify, train, bench or Google Benchmark");
  app.add_option("new", inputs->changed_, "result to judge");
  app.add_option("--ab", inputs->commands_,
                 "instead of two files: two shell commands that print a result (or write it to {}), run in turns")
      ->type_name("COMMAND COMMAND")
      ->expected(2);
  app.add_option("--repetitions", inputs->repetitions_, "runs of each command of --ab (9)")->type_name("N");
  app.add_option("--threshold", inputs->threshold_, "smallest change for the worse that matters (3%)")
      ->type_name("SHARE");
  app.add_option("--ratio-threshold", inputs->ratio_threshold_,
                 "the same for ratios taken inside one run: efficiency, measured / predicted (half the threshold)")
      ->type_name("SHARE");
  app.add_option("--alpha", inputs->alpha_, "chance of any false alarm among all metrics (1%)")->type_name("SHARE");
  app.add_option("--history", inputs->history_, "earlier results: how much one session differs from another")
      ->type_name("FOLDER");
  app.add_option("--last", inputs->last_, "how many sessions of the history count (20)")->type_name("N");
  app.add_flag("--require-sessions", inputs->require_sessions_,
               "without history a difference between two sessions is inconclusive");
  app.add_option("--allow-different-environment", inputs->allowed_,
                 "conditions that may differ between the results, or all")
      ->type_name("FIELD,...");
  app.add_option("--only", inputs->only_, "metrics whose names hold this regular expression")->type_name("REGEX");
  app.add_option("--seed", inputs->seed_, "of the bootstrap and of permutations (1)")->type_name("N");
  return inputs;
}

std::vector<NamedFile> ComparisonInputs::files() const {
  return {{"the base result", base_}, {"the new result", changed_}};
}

GateRule ComparisonInputs::rule() const {
  GateRule rule;
  rule.seed = seed_;
  if (!threshold_.empty()) rule.threshold = parse_share(threshold_, "--threshold");
  rule.ratio_threshold =
      ratio_threshold_.empty() ? rule.threshold / 2 : parse_share(ratio_threshold_, "--ratio-threshold");
  if (!alpha_.empty()) rule.alpha = parse_share(alpha_, "--alpha");
  if (rule.alpha > 0.2) throw_bad_input({"--alpha", alpha_, "at most 20%", ""});
  return rule;
}

CompareRequest ComparisonInputs::request() const {
  CompareRequest request;
  request.rule = rule();
  request.allowed = split(allowed_);
  request.sessions_required = require_sessions_;
  if (last_ < 1) throw_bad_input({"--last", fmt::format("{}", last_), "a whole number above 0", ""});
  request.last = static_cast<std::size_t>(last_);
  if (!only_.empty())
    request.wanted = [pattern = regex_of(only_)](const std::string& name) { return std::regex_search(name, pattern); };
  return request;
}

ComparedFiles ComparisonInputs::in_turns(Progress& progress) const {
  constexpr std::int64_t kMost = 1000;
  if (!base_.empty() || !history_.empty())
    throw_bad_input({"--ab", "given together with " + (base_.empty() ? "--history" : base_), "one of the two", ""});
  if (repetitions_ < 1 || repetitions_ > kMost)
    throw_bad_input(
        {"--repetitions", fmt::format("{}", repetitions_), fmt::format("a whole number from 1 to {}", kMost), ""});
  ComparedFiles compared{{}, {}, request()};
  compared.request.in_turns = true;
  const TurnsRequest turns{commands_[0], commands_[1], static_cast<int>(repetitions_)};
  std::tie(compared.base, compared.changed) = measure_in_turns(turns, run_by_shell, progress);
  return compared;
}

ComparedFiles ComparisonInputs::read(Progress& progress) const {
  if (!commands_.empty()) return in_turns(progress);
  if (base_.empty() || changed_.empty())
    throw_bad_input(
        {"dtbench compare", base_.empty() ? "no result given" : "one result given", "two: BASE.json NEW.json", ""});
  ComparedFiles compared{{}, {}, request()};
  compared.base = sample_file_from_path(base_);
  compared.changed = sample_file_from_path(changed_);
  if (!history_.empty()) {
    compared.request.history = read_history(history_);
    std::erase_if(compared.request.history, [this](const SampleFile& file) {
      return is_same_file(file.path, base_) || is_same_file(file.path, changed_);
    });
  }
  return compared;
}

}  // namespace dtbench
