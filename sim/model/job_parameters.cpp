#include "sim/model/job_parameters.h"

#include <fmt/core.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "topologies/base/json_reader.h"

namespace dtbench {

namespace {

constexpr const char* kSchema = "dtbench.training_jobs/1";

/// Four digits say more than is known, and keep the file readable.
double rounded(double value) { return std::stod(fmt::format("{:.4g}", value)); }

Json json_of(const FittedEffect& effect) {
  return {{"value", rounded(effect.value)}, {"sd", rounded(effect.sd)}, {"belief_sd", rounded(effect.belief_sd)}};
}

double read_sd(JsonReader& reader, const std::string& key) {
  const double sd = reader.number(key);
  if (sd < 0 || sd > 1e3) reader.fail(key, std::to_string(sd), "0 to 1000");
  return sd;
}

FittedEffect effect_from_json(JsonReader reader) {
  FittedEffect effect;
  effect.value = reader.number("value");
  if (std::abs(effect.value) > 1e3) reader.fail("value", std::to_string(effect.value), "-1000 to 1000");
  effect.sd = read_sd(reader, "sd");
  effect.belief_sd = read_sd(reader, "belief_sd");
  reader.finish();
  return effect;
}

}  // namespace

std::string job_parameters_to_json_text(const JobParameters& parameters) {
  Json json = {{"schema", kSchema},
               {"name", parameters.name},
               {"origin", "fitted"},
               {"source", parameters.source},
               {"observations", parameters.observations},
               {"holdout_error", rounded(parameters.holdout_error)},
               {"band_factor", rounded(parameters.band_factor)}};
  json["effects"] = Json::object();
  for (const auto& [name, effect] : parameters.effects) json["effects"][name] = json_of(effect);
  return json.dump(2) + "\n";
}

JobParameters job_parameters_from_json_file(const std::string& path) {
  const Json document = load_json_file(path);
  JsonReader reader(document, path);
  reader.choice("schema", {kSchema});
  JobParameters parameters;
  parameters.name = reader.string("name");
  reader.choice("origin", {"fitted"});
  parameters.source = reader.string("source");
  parameters.observations = static_cast<int>(reader.integer("observations", 1));
  parameters.holdout_error = read_sd(reader, "holdout_error");
  parameters.band_factor = read_sd(reader, "band_factor");
  JsonReader effects = reader.object("effects");
  for (const auto& [name, ignored] : reader.raw("effects").items())
    parameters.effects[name] = effect_from_json(effects.object(name));
  effects.finish();
  reader.finish();
  return parameters;
}

std::string shipped_job_parameters_file(const std::string& directory) {
  return directory + "/calibrations/training_jobs.json";
}

}  // namespace dtbench
