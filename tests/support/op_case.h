// One operation of each kind, at any size, with random inputs: what the kernel tests multiply over.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/plan/graph.h"
#include "engine/runtime/device.h"

namespace dtbench::testing {

/// Matrices of the op are rows x columns, rows x depth and depth x columns; other kinds ignore what they don't have.
struct OpSizes {
  std::int64_t rows = 1, columns = 1, depth = 1;
};
std::string text_of(const OpSizes& sizes);

/// Kinds that have a case; a test holds them against op_rules().
std::vector<std::string_view> op_case_kinds();

/// A graph of this one op. Its inputs stand first among the tensors, all as parameters but for labels; stored as
/// `storage` where the kind does not ask for float32.
Graph op_graph(std::string_view kind, const OpSizes& sizes, DType storage = DType::float32);

/// Values between -1 and 1 and at least 0.01 from 0 (relu has its kink there), labels 0..columns-1, softmax outputs
/// positive with rows that add up to 1.
std::vector<std::vector<double>> random_inputs(const Graph& graph, std::uint32_t seed);

/// Runs the op once with these inputs and returns its outputs.
std::vector<std::vector<double>> run_op(const Graph& graph, std::span<const std::vector<double>> inputs, Device& device,
                                        DType real);

}  // namespace dtbench::testing
