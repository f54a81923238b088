#include "bench/verification.h"

#include <fmt/core.h>

#include <array>

namespace dtbench {

namespace {

struct VerificationShape {
  std::int64_t hidden, layers, batch;
};

constexpr std::array<VerificationShape, 8> kShapes = {{{128, 2, 64},
                                                       {256, 6, 128},
                                                       {512, 3, 512},
                                                       {640, 4, 32},
                                                       {1024, 2, 256},
                                                       {1024, 5, 64},
                                                       {2048, 3, 128},
                                                       {2560, 2, 96}}};

}  // namespace

std::vector<GridSize> verification_sizes(const std::vector<int>& replicas) {
  std::vector<GridSize> sizes;
  for (const VerificationShape& shape : kShapes)
    for (const int count : replicas) sizes.push_back({shape.hidden, shape.layers, shape.batch, count});
  return sizes;
}

RunSpec spec_of(const GridSize& size, RunSpec base) {
  base.model = "mlp";
  base.model_options = {{"hidden", size.hidden}, {"layers", size.layers}};
  base.batch_per_replica = size.batch;
  base.global_batch.reset();
  base.devices = {size.replicas};
  return base;
}

VerifyWork plan_verification(const RunSpec& spec, const Topology& host, const std::vector<int>& replicas) {
  VerifyWork work{verification_sizes(replicas), {}};
  for (const GridSize& size : work.sizes)
    work.planned.push_back(plan_points(spec_of(size, spec), host, {size.replicas}).front());
  return work;
}

std::vector<CpuTrial> trials_of(const VerifyWork& work, const std::vector<VerifyRow>& rows) {
  std::vector<CpuTrial> trials;
  for (std::size_t i = 0; i < work.sizes.size(); ++i) {
    const GridSize& size = work.sizes[i];
    trials.push_back({fmt::format("mlp hidden={} layers={} batch={} on {} replica(s)", size.hidden, size.layers,
                                  size.batch, size.replicas),
                      &work.planned[i].plan, rows[i].predicted.value});
  }
  return trials;
}

std::vector<VerifyRow> predict_rows(const VerifyWork& work, const Machine& host, const RunSpec& spec) {
  std::vector<VerifyRow> rows;
  for (std::size_t i = 0; i < work.sizes.size(); ++i) {
    const RunSpec row_spec = spec_of(work.sizes[i], spec);
    const Point point = predict_points({work.planned[i]}, host, row_spec).points.front();
    VerifyRow row;
    row.model_options = row_spec.model_options;
    row.devices = point.devices;
    row.batch_per_replica = point.batch_per_replica;
    row.predicted = *point.step_seconds.predicted;
    rows.push_back(std::move(row));
  }
  return rows;
}

int measure_rows(std::vector<VerifyRow>& rows, const CpuMeasurement& measurement) {
  std::vector<VerifyRow> measured;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (measurement.results[i].turns.empty()) continue;
    rows[i].measured = measurement.results[i].measured(&Turn::step_seconds);
    measured.push_back(rows[i]);
  }
  const auto dropped = static_cast<int>(rows.size() - measured.size());
  rows = std::move(measured);
  return dropped;
}

}  // namespace dtbench
