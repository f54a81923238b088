#include "engine/plan/run_spec.h"

#include <fmt/core.h>

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>

#include "topologies/base/suggest.h"
#include "topologies/base/units.h"

namespace dtbench {

namespace {

const std::vector<std::string> kMeasureNames = {"auto", "off", "required"};
const std::vector<std::string> kFidelityNames = {"closed-form", "flow", "message"};

// Each field is left as it is when its key is absent or null.
class SpecFields {
 public:
  explicit SpecFields(JsonReader& reader) : reader_(reader) {}

  bool given(const std::string& key) { return reader_.has(key) && !reader_.raw(key).is_null(); }

  void read(const std::string& key, std::string& value) {
    if (given(key)) value = reader_.string(key);
  }
  void read(const std::string& key, std::optional<std::string>& value) {
    if (given(key)) value = reader_.string(key);
  }
  void read(const std::string& key, double& value) {
    if (given(key)) value = reader_.number(key);
  }
  void read(const std::string& key, bool& value) {
    if (given(key)) value = reader_.boolean_or(key, value);
  }
  void read_positive(const std::string& key, double& value) {
    if (given(key)) value = reader_.positive(key);
  }
  template <typename Integer>
  void read_count(const std::string& key, Integer& value) {
    if (!given(key)) return;
    const std::int64_t number = reader_.integer(key, 1);
    if (number > std::numeric_limits<Integer>::max())
      reader_.fail(key, fmt::format("{}", number), fmt::format("at most {}", std::numeric_limits<Integer>::max()));
    value = static_cast<Integer>(number);
  }
  template <typename Integer>
  void read_count(const std::string& key, std::optional<Integer>& value) {
    if (given(key)) read_count(key, value.emplace());
  }
  template <typename Choice>
  void read_choice(const std::string& key, const std::vector<std::string>& names, Choice& value) {
    if (!given(key)) return;
    const std::string name = reader_.choice(key, names);
    value = static_cast<Choice>(std::find(names.begin(), names.end(), name) - names.begin());
  }
  void read_seed(std::uint64_t& value) {
    if (!given("seed")) return;
    const Json& number = reader_.raw("seed");
    if (!number.is_number_unsigned()) reader_.fail("seed", number.dump(), "a whole number of at least 0");
    value = number.get<std::uint64_t>();
  }
  void read_counts(const std::string& key, std::vector<int>& values) {
    if (!given(key)) return;
    values.clear();
    for (const double number : reader_.numbers(key)) {
      if (number < 1 || number > std::numeric_limits<int>::max() || number != static_cast<int>(number))
        reader_.fail(key, fmt::format("{}", number), "whole numbers of at least 1");
      values.push_back(static_cast<int>(number));
    }
  }
  void read_options(const std::string& key, std::map<std::string, std::int64_t>& values) {
    if (!given(key)) return;
    JsonReader options = reader_.object(key);
    for (const auto& item : reader_.raw(key).items()) values[item.key()] = options.integer(item.key(), 0);
    options.finish();
  }

 private:
  JsonReader& reader_;
};

void check_anchor(const Anchor& anchor, const std::string& where) {
  const bool rate = anchor.unit.size() > 2 && anchor.unit.substr(anchor.unit.size() - 2) == "/s";
  if (!rate)
    throw_bad_input(
        {where, fmt::format("unit '{}'", anchor.unit), "a rate in samples per second such as 'images/s'", ""});
}

Anchor anchor_from_json(JsonReader reader) {
  Anchor anchor;
  SpecFields fields(reader);
  fields.read_count("devices", anchor.devices);
  anchor.throughput = reader.positive("throughput");
  fields.read("unit", anchor.unit);
  fields.read("model", anchor.model);
  fields.read("precision", anchor.precision);
  fields.read_count("batch_per_replica", anchor.batch_per_replica);
  reader.finish();
  check_anchor(anchor, reader.where());
  return anchor;
}

Json anchor_to_json(const Anchor& anchor) {
  Json json = {{"devices", anchor.devices}, {"throughput", anchor.throughput}, {"unit", anchor.unit}};
  if (anchor.model) json["model"] = *anchor.model;
  if (anchor.precision) json["precision"] = *anchor.precision;
  if (anchor.batch_per_replica) json["batch_per_replica"] = *anchor.batch_per_replica;
  return json;
}

void set_anchor_field(Anchor& anchor, const std::string& key, const std::string& value) {
  const std::string where = "--anchor " + key;
  if (value.empty()) throw_bad_input({where, "nothing", "a value", ""});
  if (key == "devices") {
    const std::int64_t devices = parse_integer(value, where, 1);
    if (devices > std::numeric_limits<int>::max()) throw_bad_input({where, value, "a count of devices", ""});
    anchor.devices = static_cast<int>(devices);
  } else if (key == "throughput") {
    anchor.throughput = parse_number(value, where);
    if (anchor.throughput <= 0) throw_bad_input({where, value, "a number above 0", ""});
  } else if (key == "unit") {
    anchor.unit = value;
  } else if (key == "model") {
    anchor.model = value;
  } else if (key == "precision") {
    anchor.precision = value;
  } else if (key == "batch-per-replica") {
    anchor.batch_per_replica = parse_integer(value, where, 1);
  } else {
    const std::vector<std::string> keys = {"devices", "throughput", "unit", "model", "batch-per-replica", "precision"};
    throw_bad_input({"--anchor", fmt::format("'{}'", key), one_of(keys), did_you_mean(key, keys)});
  }
}

}  // namespace

Anchor parse_anchor(const std::string& text) {
  Anchor anchor;
  std::vector<std::string> seen;
  for (std::size_t start = 0; start <= text.size();) {
    const std::size_t end = std::min(text.find(',', start), text.size());
    const std::string part = text.substr(start, end - start);
    const std::size_t equals = part.find('=');
    if (equals == std::string::npos)
      throw_bad_input({"--anchor", fmt::format("'{}'", part), "key=value parts such as devices=1,throughput=2375", ""});
    const std::string key = part.substr(0, equals);
    set_anchor_field(anchor, key, part.substr(equals + 1));
    if (std::find(seen.begin(), seen.end(), key) != seen.end())
      throw_bad_input({"--anchor", fmt::format("'{}' twice", key), "each key once", ""});
    seen.push_back(key);
    start = end + 1;
  }
  if (anchor.throughput == 0)
    throw_bad_input({"--anchor", fmt::format("'{}'", text), "throughput=<samples per second>", ""});
  check_anchor(anchor, "--anchor");
  return anchor;
}

RunSpec run_spec_from_json(JsonReader reader, RunSpec defaults) {
  RunSpec spec = std::move(defaults);
  SpecFields fields(reader);
  fields.read("topology", spec.topology);
  fields.read("model", spec.model);
  fields.read_options("model_options", spec.model_options);
  fields.read("strategy", spec.strategy);
  fields.read("precision", spec.precision);
  fields.read("optimizer", spec.optimizer);
  fields.read("learning_rate", spec.learning_rate);
  fields.read("momentum", spec.momentum);
  fields.read_count("batch_per_replica", spec.batch_per_replica);
  fields.read_count("global_batch", spec.global_batch);
  fields.read_counts("devices", spec.devices);
  fields.read("collective", spec.collective);
  fields.read("sync_batch_norm", spec.sync_batch_norm);
  fields.read_count("bucket_bytes", spec.bucket_bytes);
  fields.read("gradient_compression", spec.gradient_compression);
  fields.read_count("threads_per_replica", spec.threads_per_replica);
  fields.read("calibration", spec.calibration);
  if (spec.calibration == "") reader.fail("calibration", "an empty file name", "a path");
  if (fields.given("anchor")) spec.anchor = anchor_from_json(reader.object("anchor"));
  fields.read_choice("measure", kMeasureNames, spec.measure);
  fields.read_choice("fidelity", kFidelityNames, spec.fidelity);
  fields.read_positive("time_budget_seconds", spec.time_budget_seconds);
  fields.read_seed(spec.seed);
  reader.finish();
  return spec;
}

RunSpec run_spec_from_json_file(const std::string& path, RunSpec defaults) {
  const Json json = load_json_file(path);
  return run_spec_from_json(JsonReader(json, path), std::move(defaults));
}

std::string run_spec_to_json_text(const RunSpec& spec) {
  Json json;
  json["topology"] = spec.topology;
  json["model"] = spec.model;
  json["model_options"] = Json::object();
  for (const auto& [name, value] : spec.model_options) json["model_options"][name] = value;
  json["strategy"] = spec.strategy;
  json["precision"] = spec.precision;
  json["optimizer"] = spec.optimizer;
  json["learning_rate"] = spec.learning_rate;
  json["momentum"] = spec.momentum;
  if (spec.batch_per_replica) json["batch_per_replica"] = *spec.batch_per_replica;
  if (spec.global_batch) json["global_batch"] = *spec.global_batch;
  json["devices"] = spec.devices;
  json["collective"] = spec.collective;
  json["sync_batch_norm"] = spec.sync_batch_norm;
  json["bucket_bytes"] = spec.bucket_bytes;
  json["gradient_compression"] = spec.gradient_compression;
  if (spec.threads_per_replica) json["threads_per_replica"] = *spec.threads_per_replica;
  if (spec.calibration) json["calibration"] = *spec.calibration;
  if (spec.anchor) json["anchor"] = anchor_to_json(*spec.anchor);
  json["measure"] = kMeasureNames[static_cast<std::size_t>(spec.measure)];
  json["fidelity"] = kFidelityNames[static_cast<std::size_t>(spec.fidelity)];
  json["time_budget_seconds"] = spec.time_budget_seconds;
  json["seed"] = spec.seed;
  return json.dump(2);
}

}  // namespace dtbench
