// Where results go: the screen, a JSON file, a timeline.
#pragma once

#include <memory>
#include <optional>
#include <string>

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

/// The JSON where it was asked for, and the screen unless --quiet was given or standard output carries the JSON.
void write_result(const OutputOptions& output, const std::string& json, const std::string& screen);

}  // namespace dtbench
