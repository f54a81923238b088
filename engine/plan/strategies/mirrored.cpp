#include "engine/plan/strategies/mirrored.h"

#include <limits>
#include <map>

#include "engine/plan/strategies/all_reduce.h"
#include "engine/plan/tensor_access.h"
#include "topologies/base/error.h"

namespace dtbench {

namespace {

// Gradient bucket -> the last operation that writes into it, in the order in which buckets become full.
std::map<OpId, std::vector<TensorId>> buckets_by_last_writer(const RankClass& cls) {
  std::map<OpId, std::vector<TensorId>> full_after;
  const auto accesses = accesses_by_owner(cls);
  for (std::size_t t = 0; t < cls.tensors.size(); ++t) {
    if (cls.tensors[t].role != TensorRole::gradient || cls.tensors[t].view) continue;
    OpId last = -1;
    for (const TensorAccess& access : accesses[t])
      if (access.write) last = access.op;
    DTBENCH_CHECK(last >= 0);
    full_after[last].push_back(static_cast<TensorId>(t));
  }
  return full_after;
}

std::string all_reduce_name(const Tensor& bucket) {
  return bucket.name.substr(0, bucket.name.rfind('/')) + "/all_reduce";
}

}  // namespace

int mirrored_max_replicas() { return std::numeric_limits<int>::max(); }

void apply_mirrored(StepPlan& plan, const StrategyOptions& options) {
  if (options.replicas == 1) return;
  plan.groups.push_back({"data", {0, options.replicas, 1}, 1, 0, options.shape});
  RankClass& cls = plan.classes.front();
  cls.ranks = {{0, options.replicas, 1}};
  const auto full_after = buckets_by_last_writer(cls);
  std::vector<PlanOp> ops;
  for (std::size_t i = 0; i < cls.ops.size(); ++i) {
    ops.push_back(cls.ops[i]);
    if (const auto full = full_after.find(static_cast<OpId>(i)); full != full_after.end())
      for (const TensorId bucket : full->second)
        ops.push_back(
            all_reduce_of(cls, bucket, all_reduce_name(cls.tensors[static_cast<std::size_t>(bucket)]), options));
  }
  cls.ops = std::move(ops);
}

}  // namespace dtbench
