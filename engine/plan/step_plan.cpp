#include "engine/plan/step_plan.h"

#include "topologies/base/error.h"

namespace dtbench {

std::string_view name_of(OpType type) {
  switch (type) {
    case OpType::compute:
      return "compute";
    case OpType::collective:
      return "collective";
    case OpType::send:
      return "send";
    case OpType::receive:
      return "receive";
    case OpType::host_transfer:
      return "host_transfer";
  }
  DTBENCH_CHECK(false);
  return "";
}

std::string_view name_of(Stream stream) {
  switch (stream) {
    case Stream::compute:
      return "compute";
    case Stream::communication:
      return "communication";
    case Stream::host:
      return "host";
  }
  DTBENCH_CHECK(false);
  return "";
}

int RankClass::rank_count() const {
  int count = 0;
  for (const RankSet& set : ranks) count += set.count;
  return count;
}

std::vector<TensorId> model_parameters(const RankClass& cls) {
  std::vector<bool> has_views(cls.tensors.size(), false);
  for (const Tensor& tensor : cls.tensors)
    if (tensor.view) has_views[static_cast<std::size_t>(tensor.view->base)] = true;
  std::vector<TensorId> parameters;
  for (std::size_t t = 0; t < cls.tensors.size(); ++t)
    if (cls.tensors[t].role == TensorRole::parameter && !has_views[t]) parameters.push_back(static_cast<TensorId>(t));
  return parameters;
}

}  // namespace dtbench
