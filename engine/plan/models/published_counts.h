// What others published about the models that have a name here, to hold our own counts against.
//
// Convention of published FLOPs: matrix operations only (convolutions, dense layers, attention), a multiply-add counts
// as two; torchvision publishes multiply-adds, doubled here.
#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "engine/plan/graph.h"

namespace dtbench {

struct PublishedCount {
  enum class Quantity { parameters, forward_flops };
  std::string_view model;
  Quantity quantity;
  double value;
  bool exact;  ///< false: rounded, or counted a little differently
  std::string_view source;
};

std::span<const PublishedCount> published_counts();
std::vector<PublishedCount> published_counts_of(std::string_view model);

/// FLOPs of the forward matrix operations of a graph of `batch` samples, one sample's.
double matrix_flops_per_sample(const Graph& graph, std::int64_t batch);

}  // namespace dtbench
