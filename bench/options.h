// The options that describe what is asked (a RunSpec): one table for every command, so that a name means the same
// everywhere. `--config FILE.json` holds the same values; the command line wins over it.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/plan/run_spec.h"

namespace CLI {
class App;
}

namespace dtbench {

/// What a group of options decides; a command takes the groups that can change what it does.
enum OptionGroup : unsigned {
  kMachineOptions = 1,     ///< --topology
  kWorkOptions = 2,        ///< model, strategy, batch, optimizer, ...
  kScaleOptions = 4,       ///< --devices
  kPredictionOptions = 8,  ///< --calibration, --fidelity
  kAnchorOptions = 16,     ///< --anchor
  kMeasureOptions = 32,    ///< --measure
  kBudgetOptions = 64,     ///< --time-budget
  kThreadOptions = 128,    ///< --threads-per-replica
  kSeedOptions = 512,
  kBatchOptions = 1024,     ///< --batch-per-replica by itself
  kModelSizeOptions = 256,  ///< the families' own: --hidden, --layers
};

/// A row without a value is a switch.
struct SpecOption {
  std::string_view name, value, help;
  OptionGroup group;
  void (*apply)(RunSpec& spec, const std::string& text);  ///< throws bad input that names the option
};

/// The table. Options of models (`--hidden`) come from the families' own tables instead.
const std::vector<SpecOption>& spec_options();

/// The words given for the options of one command.
class SpecArguments {
 public:
  /// Declares the options of `groups` and --config on `app`; `app` must not outlive the result.
  static std::shared_ptr<SpecArguments> declare(CLI::App& app, unsigned groups);
  /// defaults <- config file <- command line, every value checked as far as it can be without a topology.
  RunSpec resolve(RunSpec defaults = {}) const;

 private:
  std::map<std::string, std::string, std::less<>> given_;
  std::map<std::string, std::string> model_given_;
  std::optional<std::string> config_;
};

/// Unknown model, strategy, collective or precision; what this version cannot do yet is refused by name.
void check_names(const RunSpec& spec);

/// "a,b,c": no word empty, none twice.
std::vector<std::string> split_list(const std::string& text, const char* option);

/// 1, 2, 4, ... and `devices` itself.
std::vector<int> default_device_counts(int devices);
/// The counts asked for, or the default list; a count beyond the topology is a bad-input error.
std::vector<int> device_counts(const RunSpec& spec, int available);

}  // namespace dtbench
