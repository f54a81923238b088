#include "bench/work_size.h"

#include <fmt/core.h>

#include <utility>

#include "engine/plan/plan_step.h"
#include "reports/wording.h"

namespace dtbench {

namespace {

/// Whatever the name it is called by.
bool same_model(const WorkSize& a, const WorkSize& b) {
  return model_family(a.model).name == model_family(b.model).name &&
         complete_options(a.model, a.options) == complete_options(b.model, b.options);
}

}  // namespace

bool same_work(const WorkSize& a, const WorkSize& b) {
  return a.batch == b.batch && a.precision == b.precision && same_model(a, b);
}

RunSpec spec_of(const WorkSize& size, RunSpec base) {
  base.model = size.model;
  base.model_options = size.options;
  base.precision = size.precision;
  base.batch_per_replica = size.batch;
  base.global_batch.reset();
  base.devices = {size.replicas};
  return base;
}

StepPlan plan_of(const WorkSize& size, RunSpec base, const BackendTraits& traits) {
  base.strategy = size.replicas > 1 ? "mirrored" : "single";
  return plan_step(request_at(spec_of(size, std::move(base)), size.replicas, size.replicas, traits));
}

WorkSize size_of(const RunSpec& spec, std::int64_t batch_per_replica, int replicas) {
  return {spec.model, spec.model_options, batch_per_replica, replicas, spec.precision};
}

std::string text_of(const WorkSize& size) {
  const std::string options = options_text(size.options);
  return fmt::format("{}{}{}, batch {}, {}, {} replica{}", size.model, options.empty() ? "" : " ", options, size.batch,
                     size.precision, size.replicas, size.replicas == 1 ? "" : "s");
}

}  // namespace dtbench
