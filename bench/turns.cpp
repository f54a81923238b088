#include "bench/turns.h"

#include <fmt/core.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <string_view>

#include "bench/shell_quote.h"
#include "reports/regression/sample_file.h"
#include "reports/statistics.h"
#include "topologies/base/error.h"

namespace dtbench {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view kPlaceOfFile = "{}";

/// A folder that goes with its owner.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string name = (fs::temp_directory_path() / "dtbench-XXXXXX").string();
    if (!mkdtemp(name.data())) throw Error(ExitCode::run_failed, {name, "cannot be made", "", "set TMPDIR"});
    path_ = name;
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  std::string file(const char* name) const { return (path_ / name).string(); }

 private:
  fs::path path_;
};

std::string with_file(const std::string& command, const std::string& path) {
  if (command.find(kPlaceOfFile) == std::string::npos) return fmt::format("{{ {}\n}} >{}", command, shell_quoted(path));
  std::string text = command;
  for (std::size_t at = text.find(kPlaceOfFile); at != std::string::npos; at = text.find(kPlaceOfFile, at)) {
    text.replace(at, kPlaceOfFile.size(), shell_quoted(path));
    at += path.size();
  }
  return text;
}

std::string status_text(int status) {
  if (WIFSIGNALED(status)) return fmt::format("ended by signal {}", WTERMSIG(status));
  return fmt::format("ended with status {}", WEXITSTATUS(status));
}

/// Medians of the runs of one side, by metric.
class Side {
 public:
  explicit Side(const std::string& command) { file_.path = command; }

  void add(SampleFile run) {
    if (runs_++ == 0) {
      file_.format = run.format;
      file_.environment = std::move(run.environment);
      file_.left_out = std::move(run.left_out);
    }
    for (MetricSamples& metric : run.metrics) {
      const double middle = median(metric.repetitions);
      const auto [place, fresh] = index_.try_emplace(metric.name, metrics_.size());
      if (fresh) {
        metric.repetitions.clear();
        metrics_.push_back(std::move(metric));
      }
      metrics_[place->second].repetitions.push_back(middle);
    }
  }

  SampleFile finish() && {
    for (MetricSamples& metric : metrics_) {
      if (metric.repetitions.size() == runs_)
        add_metric(file_, std::move(metric));
      else
        file_.left_out.push_back({metric.name, fmt::format("in {} of {} runs only", metric.repetitions.size(), runs_)});
    }
    return std::move(file_);
  }

 private:
  SampleFile file_;
  std::vector<MetricSamples> metrics_;
  std::map<std::string, std::size_t> index_;
  std::size_t runs_ = 0;
};

}  // namespace

std::vector<int> order_of_turns(int repetitions) {
  std::vector<int> order;
  for (int pair = 0; pair < repetitions; ++pair) {
    const int first = pair % 2;
    order.insert(order.end(), {first, 1 - first});
  }
  return order;
}

std::pair<SampleFile, SampleFile> measure_in_turns(const TurnsRequest& request, const RunCommand& run,
                                                   Progress& progress) {
  const std::array<const std::string*, 2> commands = {&request.base, &request.changed};
  std::array<Side, 2> sides = {Side(request.base), Side(request.changed)};
  std::array<int, 2> done = {0, 0};
  progress.phase("measuring both commands in turns");
  for (const int side : order_of_turns(request.repetitions)) {
    const auto index = static_cast<std::size_t>(side);
    progress.detail(fmt::format("{} of {}: {}", ++done[index], request.repetitions, *commands[index]));
    sides[index].add(run(*commands[index]));
  }
  progress.finish();
  std::pair<SampleFile, SampleFile> files{std::move(sides[0]).finish(), std::move(sides[1]).finish()};
  const auto date = files.first.environment.find("date");
  if (date != files.first.environment.end()) files.second.environment["date"] = date->second;
  return files;
}

SampleFile run_by_shell(const std::string& command) {
  const TemporaryFolder folder;
  const std::string path = folder.file("result.json");
  const int status = std::system(with_file(command, path).c_str());
  if (status == -1) throw Error(ExitCode::run_failed, {"--ab", "no process can be started", "", ""});
  if (status != 0) throw Error(ExitCode::run_failed, {"--ab " + command, status_text(status), "status 0", ""});
  if (!fs::exists(path)) throw Error(ExitCode::run_failed, {"--ab " + command, "wrote no result", "a file at {}", ""});
  try {
    return sample_file_from_path(path);
  } catch (const Error& error) {  // the temporary name would say nothing
    throw Error(error.code(), {"--ab " + command, error.parts().found, error.parts().expected, error.parts().hint});
  }
}

}  // namespace dtbench
