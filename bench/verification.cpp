#include "bench/verification.h"

#include <algorithm>

#include "bench/host_sizes.h"
#include "engine/cpu/cpu_backend.h"
#include "reports/statistics.h"

namespace dtbench {

std::vector<WorkSize> verification_sizes(const WorkScope& scope) {
  std::vector<WorkSize> sizes;
  for (const std::string& model : scope.models)
    for (const std::string& precision : scope.precisions)
      for (const SizeShape& shape : host_sizes_of(model).verification)
        for (const int count : scope.replicas) sizes.push_back({model, shape.options, shape.batch, count, precision});
  return sizes;
}

VerifyWork plan_verification(const RunSpec& spec, const Topology& host, const WorkScope& scope) {
  VerifyWork work{verification_sizes(scope), {}};
  for (const WorkSize& size : work.sizes)
    work.planned.push_back(plan_points(spec_of(size, spec), host, {size.replicas}).front());
  return work;
}

ControlWork plan_controls(std::vector<SampledStep> calibrated, const RunSpec& asked) {
  constexpr std::size_t kMostControls = 8;
  std::erase_if(calibrated, [](const SampledStep& step) { return step.step_seconds > kTurnSeconds; });
  std::sort(calibrated.begin(), calibrated.end(),
            [](const SampledStep& a, const SampledStep& b) { return a.step_seconds < b.step_seconds; });
  const auto backend = make_cpu_backend();
  ControlWork controls;
  const std::size_t count = std::min(kMostControls, calibrated.size());
  for (std::size_t i = 0; i < count; ++i) {
    controls.steps.push_back(calibrated[i * calibrated.size() / count]);
    controls.plans.push_back(plan_of(controls.steps.back().size, asked, backend->traits()));
  }
  return controls;
}

std::vector<CpuTrial> trials_of(const ControlWork& controls, const VerifyWork& work,
                                const std::vector<VerifyRow>& rows) {
  std::vector<CpuTrial> trials;
  for (std::size_t i = 0; i < controls.steps.size(); ++i)
    trials.push_back({text_of(controls.steps[i].size), &controls.plans[i], controls.steps[i].step_seconds});
  for (std::size_t i = 0; i < work.sizes.size(); ++i)
    trials.push_back({text_of(work.sizes[i]), &work.planned[i].plan, rows[i].predicted.value});
  return trials;
}

std::vector<VerifyRow> predict_rows(const VerifyWork& work, const Machine& host, const RunSpec& spec) {
  std::vector<VerifyRow> rows;
  for (std::size_t i = 0; i < work.sizes.size(); ++i) {
    const RunSpec row_spec = spec_of(work.sizes[i], spec);
    const Point point = predict_points({work.planned[i]}, host, row_spec).points.front();
    VerifyRow row;
    row.model = row_spec.model;
    row.precision = row_spec.precision;
    row.model_options = row_spec.model_options;
    row.devices = point.devices;
    row.batch_per_replica = point.batch_per_replica;
    row.predicted = *point.step_seconds.predicted;
    rows.push_back(std::move(row));
  }
  return rows;
}

std::vector<VerifyControl> measured_controls(const ControlWork& controls, std::span<const TrialResult> results) {
  std::vector<VerifyControl> measured;
  for (std::size_t i = 0; i < results.size(); ++i) {
    if (results[i].turns.empty()) continue;
    const SampledStep& step = controls.steps[i];
    measured.push_back({text_of(step.size), step.step_seconds, median(results[i].step_seconds())});
  }
  return measured;
}

int measure_rows(std::vector<VerifyRow>& rows, std::span<const TrialResult> results) {
  std::vector<VerifyRow> measured;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (results[i].turns.empty()) continue;
    rows[i].measured = results[i].measured(&Turn::step_seconds);
    measured.push_back(rows[i]);
  }
  const auto dropped = static_cast<int>(rows.size() - measured.size());
  rows = std::move(measured);
  return dropped;
}

}  // namespace dtbench
