// What is being done, on standard error: one line that is rewritten on a terminal, one line per phase elsewhere.
#pragma once

#include <string>

namespace dtbench {

class Progress {
 public:
  explicit Progress(bool quiet);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  /// Starts a phase: "calibrating this host".
  void phase(const std::string& what);
  /// Detail within the phase, shown on a terminal only: "mlp hidden=512".
  void detail(const std::string& what);
  /// Erases the line of a terminal: before something else is printed.
  void finish();

 private:
  bool quiet_, terminal_;
  std::string phase_;
};

}  // namespace dtbench
