#include <fmt/core.h>

#include <algorithm>
#include <numeric>

#include "engine/plan/models/model.h"
#include "engine/plan/plan_step.h"
#include "engine/plan/precision.h"
#include "topologies/base/error.h"

namespace dtbench {

namespace {

GroupShape fill_nodes(int devices, int devices_per_node) {
  if (devices < 1) throw_bad_input({"--devices", fmt::format("{}", devices), "at least 1", ""});
  DTBENCH_CHECK(devices_per_node >= 1);
  if (devices <= devices_per_node) return {1, devices};
  if (devices % devices_per_node != 0) {
    const int below = devices / devices_per_node * devices_per_node;
    throw_bad_input({"--devices", fmt::format("{}", devices),
                     fmt::format("at most {0} or whole nodes of {0}", devices_per_node),
                     fmt::format("nearest: {} or {}", below, static_cast<std::int64_t>(below) + devices_per_node)});
  }
  return {devices / devices_per_node, devices_per_node};
}

// Least common multiple of all device counts asked for; capped, since nobody has a batch beyond 2^40.
std::int64_t common_multiple(const std::vector<int>& counts, int devices) {
  constexpr std::int64_t kCap = std::int64_t{1} << 40;
  std::int64_t multiple = devices;
  for (const int count : counts)
    if (count >= 1 && multiple < kCap) multiple = std::lcm(multiple, static_cast<std::int64_t>(count));
  return multiple;
}

std::int64_t batch_per_replica(const RunSpec& spec, int devices) {
  if (spec.global_batch && spec.batch_per_replica)
    throw_bad_input({"--global-batch", "together with --batch-per-replica", "one of the two", ""});
  if (!spec.global_batch) return spec.batch_per_replica.value_or(default_batch_per_replica(spec.model));
  const std::int64_t batch = *spec.global_batch;
  if (batch >= 1 && batch % devices == 0) return batch / devices;
  const std::int64_t unit = common_multiple(spec.devices, devices);
  const std::int64_t below = std::max<std::int64_t>(batch, 0) / unit * unit;
  const std::string nearest =
      below > 0 ? fmt::format("nearest: {} or {}", below, below + unit) : fmt::format("nearest: {}", unit);
  throw_bad_input({"--global-batch", fmt::format("{}", batch), fmt::format("a multiple of {} (devices)", devices),
                   nearest + (spec.devices.size() > 1 ? ", which fit all device counts" : "")});
}

}  // namespace

StepRequest request_at(const RunSpec& spec, int devices, int devices_per_node, const BackendTraits& traits) {
  StepRequest request;
  request.shape = fill_nodes(devices, devices_per_node);
  request.model = spec.model;
  request.model_options = spec.model_options;
  request.strategy = spec.strategy;
  request.precision = std::string(precision_policy(spec.precision).name);
  request.optimizer = spec.optimizer;
  request.learning_rate = spec.learning_rate;
  request.momentum = spec.momentum;
  request.batch_per_replica = batch_per_replica(spec, devices);
  request.replicas = devices;
  request.bucket_bytes = spec.bucket_bytes;
  request.gradient_compression = spec.gradient_compression;
  request.collective = spec.collective;
  request.sync_batch_norm = spec.sync_batch_norm;
  request.traits = traits;
  return request;
}

}  // namespace dtbench
