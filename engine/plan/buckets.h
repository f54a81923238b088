// Gradients, parameters and momentum grouped so that one collective and one update serve many parameters.
//
// Gradients fill buckets in the order in which the backward pass finishes them, as PyTorch's DistributedDataParallel
// does (Li et al., "PyTorch Distributed", VLDB 2020): a bucket is closed when the next gradient would take it over
// `bucket_bytes`; a gradient larger than that has its own. Inside a bucket each gradient starts aligned; the padding
// stays zero. A bucket's parameters and velocity are laid out the same way.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/plan/step_plan.h"

namespace dtbench {

struct Bucket {
  TensorId parameters = kNoTensor, gradients = kNoTensor, velocity = kNoTensor;
  std::int64_t padding_elements = 0;  ///< between gradients, never used
};

/// Adds the buckets' tensors to `cls` and turns parameters and their gradients into views of them. `gradient_of` as in
/// Graph, for the tensors of `cls`.
std::vector<Bucket> group_into_buckets(RankClass& cls, const std::vector<TensorId>& gradient_of,
                                       std::int64_t bucket_bytes, std::int64_t alignment_bytes);

}  // namespace dtbench
