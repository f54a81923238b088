#include "reports/train_json.h"

#include <nlohmann/json.hpp>

#include "reports/value_json.h"

namespace dtbench {

namespace {

constexpr std::string_view kTrainSchema = "dtbench.train/1";

Json json_of(const EpochReport& epoch) {
  return {{"epoch", epoch.epoch},
          {"seconds", result_number(epoch.seconds)},
          {"train_loss", result_number(epoch.train_loss)},
          {"test_accuracy", result_number(epoch.test_accuracy)},
          {"test_loss", result_number(epoch.test_loss)},
          {"samples_per_second", result_number(epoch.samples_per_second)}};
}

EpochReport epoch_from_json(JsonReader reader) {
  EpochReport epoch;
  epoch.epoch = static_cast<int>(reader.integer("epoch", 1));
  epoch.seconds = read_result_number(reader, "seconds");
  epoch.train_loss = read_result_number(reader, "train_loss");
  epoch.test_accuracy = read_result_number(reader, "test_accuracy");
  epoch.test_loss = read_result_number(reader, "test_loss");
  epoch.samples_per_second = read_result_number(reader, "samples_per_second");
  reader.finish();
  return epoch;
}

void put_target(Json& json, const TrainResult& result) {
  DTBENCH_CHECK(result.target.has_value() == result.reached.has_value());
  if (result.target) {
    json["target"] = result_number(*result.target);
    json["reached"] = *result.reached;
  } else {
    json["reached"] = nullptr;
    put_null(json, "target", "", "no target accuracy was asked for");
  }
}

void read_target(JsonReader& reader, TrainResult& result) {
  result.target = read_optional_number(reader, "target");
  if (result.target)
    result.reached = read_boolean(reader, "reached");
  else if (!reader.raw("reached").is_null())
    reader.fail("reached", "a value", "null, since there is no target");
  if (!result.target) reader.string("reason");
}

Json json_of(const LossScaleReport& report) {
  return {{"scale", result_number(report.scale)},
          {"skipped_steps", report.skipped_steps},
          {"culprit", report.culprit}};
}

LossScaleReport loss_scale_from_json(JsonReader reader) {
  LossScaleReport report;
  report.scale = read_result_number(reader, "scale");
  report.skipped_steps = reader.integer("skipped_steps", 0);
  report.culprit = reader.string("culprit");
  reader.finish();
  return report;
}

}  // namespace

std::string train_result_to_json_text(const TrainResult& result) {
  Json json = {{"schema", kTrainSchema},
               {"command", result.command},
               {"spec", json_of(result.spec)},
               {"environment", json_of(result.environment)},
               {"model", json_of(result.model)},
               {"data", result.data},
               {"epochs", Json::array()}};
  for (const EpochReport& epoch : result.epochs) json["epochs"].push_back(json_of(epoch));
  json["final_accuracy"] = result_number(result.final_accuracy);
  put_target(json, result);
  if (result.loss_scale) json["loss_scale"] = json_of(*result.loss_scale);
  json["replicas"] = result.replicas;
  json["seed"] = result.seed;
  json["timing_of_dtbench"] = json_of(result.timing_of_dtbench);
  return json_text(json);
}

TrainResult train_result_from_json(const Json& document, const std::string& name) {
  JsonReader reader(document, name);
  read_schema_name(reader, kTrainSchema);
  TrainResult result;
  result.command = reader.string("command");
  result.spec = run_spec_from_json(reader.object("spec"));
  result.environment = reader.string_map("environment");
  result.model = model_report_from_json(reader.object("model"));
  result.data = reader.string("data");
  for (const JsonReader& epoch : reader.objects("epochs")) result.epochs.push_back(epoch_from_json(epoch));
  result.final_accuracy = read_result_number(reader, "final_accuracy");
  read_target(reader, result);
  if (reader.has("loss_scale")) result.loss_scale = loss_scale_from_json(reader.object("loss_scale"));
  result.replicas = static_cast<int>(reader.integer("replicas", 1));
  result.seed = static_cast<std::uint64_t>(reader.integer("seed", 0));
  result.timing_of_dtbench = read_result_numbers(reader, "timing_of_dtbench");
  reader.finish();
  return result;
}

}  // namespace dtbench
