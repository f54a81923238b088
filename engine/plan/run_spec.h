// What was asked: the options of FORMATS, as a value. `--config FILE.json` holds the same.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "topologies/base/json_reader.h"

namespace dtbench {

enum class Measure { automatic, off, required };
enum class Fidelity { closed_form, flow, message };

/// `--anchor devices=1,throughput=2375,unit=images/s[,model=...,batch-per-replica=...,precision=...]`: one measured
/// number that pins the compute rate.
struct Anchor {
  int devices = 1;
  double throughput = 0;
  std::string unit = "samples/s";
  std::optional<std::string> model, precision;
  std::optional<std::int64_t> batch_per_replica;
  bool operator==(const Anchor&) const = default;
};

struct RunSpec {
  std::string topology = "host";
  std::string model = "mlp";
  std::map<std::string, std::int64_t> model_options;  ///< {"hidden": 2048, "layers": 4}
  std::string strategy = "mirrored";
  std::string precision = "float32";
  std::string optimizer = "momentum";
  double learning_rate = 0.05, momentum = 0.9;
  std::optional<std::int64_t> batch_per_replica;  ///< weak scaling (default: the model's own)
  std::optional<std::int64_t> global_batch;       ///< strong scaling; excludes batch_per_replica
  std::vector<int> devices;                       ///< empty: 1, 2, 4, ... up to the topology
  std::string collective = "auto";
  bool sync_batch_norm = false;
  std::int64_t bucket_bytes = 25 * 1000 * 1000;
  std::string gradient_compression = "none";
  std::optional<int> threads_per_replica;
  std::optional<std::string> calibration;  ///< path
  std::optional<Anchor> anchor;
  Measure measure = Measure::automatic;
  Fidelity fidelity = Fidelity::closed_form;
  double time_budget_seconds = 20;
  std::uint64_t seed = 1;
  bool operator==(const RunSpec&) const = default;
};

Anchor parse_anchor(const std::string& text);
/// Reads one object with the keys of RunSpec, all optional, and calls `finish`; null is the same as absent.
RunSpec run_spec_from_json(JsonReader reader, RunSpec defaults = {});
RunSpec run_spec_from_json_file(const std::string& path, RunSpec defaults = {});
/// Every field that holds something: reading it back gives an equal value.
std::string run_spec_to_json_text(const RunSpec& spec);

}  // namespace dtbench
