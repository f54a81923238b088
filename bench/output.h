// Where results go: the screen, a JSON file, a timeline.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace dtbench {

struct OutputOptions {
  std::optional<std::string> json;  ///< file, or "-" for standard output
  bool quiet = false;

  static std::shared_ptr<OutputOptions> declare(CLI::App& app);
  /// Refuses what cannot be written: called before any work.
  void require_writable() const;
};

/// An option and the file it names.
struct NamedFile {
  std::string option, path;
};
/// Refuses a file that two options name: one result would replace another, or what it was made from. "" and "-" do not
/// count.
void require_distinct(const std::vector<NamedFile>& files);

/// The JSON where it was asked for, and the screen unless --quiet was given or standard output carries the JSON.
void write_result(const OutputOptions& output, const std::string& json, const std::string& screen);

}  // namespace dtbench
