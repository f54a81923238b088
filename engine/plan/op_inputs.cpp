#include "engine/plan/op_inputs.h"

#include <fmt/core.h>

#include "topologies/base/error.h"

namespace dtbench {

OpInputs::OpInputs(const Graph& graph, const GraphOp& op, std::size_t count, std::string_view signature)
    : graph_(graph), op_(op), signature_(signature) {
  for (const TensorId id : op.inputs) DTBENCH_CHECK(id >= 0 && static_cast<std::size_t>(id) < graph.tensors.size());
  require(op.inputs.size() == count);
}

const Tensor& OpInputs::operator[](std::size_t i) const {
  return graph_.tensors[static_cast<std::size_t>(op_.inputs.at(i))];
}

void OpInputs::require(bool fits) const {
  if (fits) return;
  std::string found;
  for (std::size_t i = 0; i < op_.inputs.size(); ++i) {
    if (i > 0) found += ", ";
    found += std::string(name_of((*this)[i].dtype)) + " " + (*this)[i].name + text_of(shape(i));
  }
  throw_bad_input({fmt::format("operation '{}'", op_.name), found, fmt::format("{}: {}", op_.kind, signature_), ""});
}

double OpInputs::attribute(const std::string& name) const {
  const auto found = op_.attributes.find(name);
  if (found == op_.attributes.end())
    throw_bad_input({fmt::format("operation '{}'", op_.name), "", fmt::format("attribute '{}'", name), ""});
  return found->second;
}

Tensor op_output(std::string name, Shape shape, const Tensor& like) {
  Tensor output;
  output.name = std::move(name);
  output.shape = std::move(shape);
  output.dtype = like.dtype;
  return output;
}

double bytes_moved(const std::vector<Tensor>& inputs, const std::vector<Tensor>& outputs) {
  double bytes = 0;
  for (const Tensor& tensor : inputs) bytes += static_cast<double>(tensor.bytes());
  for (const Tensor& tensor : outputs) bytes += static_cast<double>(tensor.bytes());
  return bytes;
}

}  // namespace dtbench
