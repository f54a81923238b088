// The inputs of an operation while its shape rule runs: every check that fails names the operation, what it was given
// and what it takes.
#pragma once

#include <string>
#include <string_view>

#include "engine/plan/graph.h"

namespace dtbench {

class OpInputs {
 public:
  /// `signature` is what ops/README.md says: "x[B,I], w[I,O]"; `count` inputs are required.
  OpInputs(const Graph& graph, const GraphOp& op, std::size_t count, std::string_view signature);
  const Tensor& operator[](std::size_t i) const;
  const Shape& shape(std::size_t i) const { return (*this)[i].shape; }
  std::int64_t dim(std::size_t i, std::size_t axis) const { return shape(i)[axis]; }
  /// Bad-input error unless `fits`.
  void require(bool fits) const;
  void require_rank(std::size_t i, std::size_t rank) const { require(shape(i).size() == rank); }
  /// Attribute that the kind cannot do without.
  double attribute(const std::string& name) const;

 private:
  const Graph& graph_;
  const GraphOp& op_;
  std::string_view signature_;
};

/// An output named `name` of this shape and type.
Tensor op_output(std::string name, Shape shape, const Tensor& like);

/// Bytes of all tensors: every input read once, every output written once.
double bytes_moved(const std::vector<Tensor>& inputs, const std::vector<Tensor>& outputs);

}  // namespace dtbench
