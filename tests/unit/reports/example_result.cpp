#include "tests/unit/reports/example_result.h"

#include "reports/comparison.h"
#include "reports/memory_report.h"
#include "reports/scaling.h"

namespace dtbench {

namespace {

constexpr const char* kNotHere = "this host has no such devices";

Quantity predicted(double value, double low, double high) {
  return {Predicted{value, low, high, Origin::data_sheet}, std::nullopt, kNotHere};
}

Point scaled_point(int devices, double milliseconds, double exposed_milliseconds, BottleneckReport bottleneck) {
  Point point = example_point(devices, milliseconds * 1e-3, devices == 1 ? 0.2 : 0.3);
  point.exposed_communication_seconds =
      predicted(exposed_milliseconds * 1e-3, exposed_milliseconds * 0.4e-3, exposed_milliseconds * 2.2e-3);
  point.bottleneck = std::move(bottleneck);
  point.collective_algorithm = devices == 1 ? "" : "ring";
  point.collective_executed_by = devices == 1 ? "" : "library";
  return point;
}

Point loop_point(int devices, double predicted_ms, std::vector<double> measured_ms) {
  Point point = example_point(devices, predicted_ms * 1e-3, 0.1);
  for (double& milliseconds : measured_ms) milliseconds *= 1e-3;
  point.step_seconds.measured = measured_from(std::move(measured_ms));
  point.step_seconds.reason.clear();
  return point;
}

CalibrationReport host_calibration() {
  return {"host, 2 cores", "measured before this run", Origin::measured, 0.034, ""};
}

}  // namespace

Point example_point(int devices, double seconds, double half_width) {
  Point point;
  point.devices = devices;
  point.batch_per_replica = 128;
  point.global_batch = 128 * devices;
  point.step_seconds = predicted(seconds, seconds * (1 - half_width), seconds * (1 + half_width));
  point.exposed_communication_seconds = predicted(0, 0, 0);
  point.compute_seconds = predicted(seconds * 0.9, seconds * 0.9, seconds * 0.9);
  point.input_seconds = predicted(2e-5, 2e-5, 2e-5);
  point.memory_bytes = memory_report({.weights = 214'600'000,
                                      .gradients = 214'600'000,
                                      .optimizer = 214'600'000,
                                      .activations = 9'300'000,
                                      .workspace = 33'554'432,
                                      .total = 686'654'432},
                                     80'000'000'000);
  point.bottleneck = {"compute", "", 0.92};
  return point;
}

Topology example_topology() {
  Topology topology;
  topology.spec = "8xA100-SXM4-80GB@hgx-a100";
  topology.system = "hgx-a100";
  topology.devices_per_node = 8;
  topology.device.name = "A100-SXM4-80GB";
  topology.device.architecture = "ampere";
  topology.device.peak_flops = {{Arithmetic::float32, 19.5e12}, {Arithmetic::tf32, 156e12}};
  topology.device.memory_bytes = 80e9;
  topology.device.memory_bandwidth = 2.039e12;
  topology.device.host_bandwidth = 32e9;
  topology.device.launch_seconds = 4e-6;
  topology.within_node.name = "NVLink3 through NVSwitch";
  topology.within_node.link_class = "nvlink3-switch";
  topology.within_node.bandwidth = 300e9;
  topology.within_node.latency_seconds = 1e-6;
  topology.assumptions = {"'A100' means A100-SXM4-80GB", "8 of them stand in an hgx-a100"};
  return topology;
}

RunResult example_run() {
  RunResult result;
  result.spec.topology = "8xA100";
  result.spec.model_options = {{"hidden", 4096}, {"layers", 4}};
  result.spec.batch_per_replica = 128;
  result.command = "dtbench run --topology 8xA100 --model mlp --hidden 4096 --layers 4";
  result.environment = {{"dtbench", "0.1.0"}, {"cpu", "example"}};
  result.topology = example_topology();
  result.model = {"mlp", {{"hidden", 4096}, {"layers", 4}}, 53'650'000, 107.2e6, "images"};
  result.calibration = {"A100-SXM4-80GB data sheet", "data sheet", Origin::data_sheet, std::nullopt,
                        "never compared with a measurement"};
  const BottleneckReport link{"communication", "nvlink3-switch", 0.31};
  result.points = {scaled_point(1, 3.104, 0, {"compute", "", 0.92}), scaled_point(2, 3.61, 0.47, {"compute", "", 0.8}),
                   scaled_point(4, 4.02, 0.86, {"compute", "", 0.72}), scaled_point(8, 4.52, 1.41, link)};
  derive_scaling(result.points);
  result.closed_loop.topology = "host: 2 cores";
  result.closed_loop.calibration = host_calibration();
  result.closed_loop.points = {loop_point(1, 152.1, {155.2, 154.8, 156.1, 158.8, 155.0, 155.1}),
                               loop_point(2, 171.0, {199.2, 198.1, 201.3, 199.9, 204.5})};
  derive_scaling(result.closed_loop.points);
  summarise(result.closed_loop);
  result.timing_of_dtbench = {{"plan", 0.0131}, {"host", 17.6}, {"predict", 0.042}, {"total", 17.7}};
  return result;
}

VerifyResult example_verify() {
  VerifyResult result;
  result.spec.topology = "host";
  result.command = "dtbench verify";
  result.environment = {{"dtbench", "0.1.0"}};
  result.calibration = host_calibration();
  const auto row = [](std::int64_t hidden, int devices, double predicted_ms, double measured_ms) {
    return VerifyRow{"mlp",
                     "float32",
                     {{"hidden", hidden}, {"layers", 2}},
                     devices,
                     64,
                     {predicted_ms * 1e-3, predicted_ms * 0.9e-3, predicted_ms * 1.1e-3, Origin::measured},
                     measured_from({measured_ms * 1e-3, measured_ms * 1.01e-3, measured_ms * 0.98e-3}),
                     0};
  };
  result.rows = {row(300, 1, 1.31, 1.27), row(700, 1, 4.9, 5.02), row(300, 2, 1.62, 1.93)};
  result.controls = {{"mlp hidden=80, layers=3, batch 48, float32, 1 replica", 0.5e-3, 0.51e-3},
                     {"mlp hidden=80, layers=3, batch 48, float32, 2 replicas", 0.8e-3, 0.76e-3},
                     {"mlp hidden=400, layers=3, batch 96, float32, 1 replica", 4e-3, 4.4e-3}};
  result.tolerance = 0.1;
  summarise(result);
  result.timing_of_dtbench = {{"calibrate", 8.1}, {"measure", 6.4}, {"total", 14.6}};
  return result;
}

BenchResult example_bench() {
  const auto metric = [](const std::string& layout, double ms) {
    return BenchMetric{"engine/mlp/float32/" + layout + "/step_seconds",
                       "s",
                       Better::lower,
                       measured_from({ms * 1e-3, ms * 1.02e-3, ms * 0.99e-3, ms * 1.01e-3, ms * 1.005e-3}),
                       {{"samples_per_second", 128 / (ms * 1.005e-3)}, {"fraction_of_peak", 7.2 / ms}}};
  };
  return {"dtbench bench engine",
          {{"dtbench", "0.1.0"}, {"disturbed", "yes"}},
          {metric("1x1", 11.2), metric("1x2", 6.1)},
          {{"measure", 5.2}, {"total", 5.3}}};
}

TrainResult example_train() {
  TrainResult result;
  result.spec.topology = "host";
  result.command = "dtbench train --target-accuracy 0.88";
  result.environment = {{"dtbench", "0.1.0"}};
  result.model = {"mlp", {{"hidden", 256}, {"layers", 2}}, 269'322, 0.538e6, "images"};
  result.data = "fashion-mnist";
  result.epochs = {{1, 3.912, 0.52113, 0.8531, 0.4312, 15338},
                   {2, 3.874, 0.37721, 0.8702, 0.3707, 15488},
                   {3, 3.901, 0.33307, 0.8834, 0.3368, 15381}};
  result.final_accuracy = 0.8834;
  result.target = 0.88;
  result.reached = true;
  result.replicas = 2;
  result.seed = 7;
  result.timing_of_dtbench = {{"train", 11.7}, {"evaluate", 0.4}, {"total", 12.4}};
  return result;
}

}  // namespace dtbench
