// Rows taken by number and their gradients put back: what embedding and gather_rows cost.
#pragma once

#include "engine/plan/op_rule.h"

namespace dtbench {

/// (rows, numbers) -> taken: reads only the rows that it takes.
inline OpCost cost_of_lookup(const std::vector<Tensor>& in, const std::vector<Tensor>& out, const Attributes&) {
  return {0, static_cast<double>(in[1].bytes() + 2 * out[0].bytes())};
}

/// (numbers, gradients of the taken) -> gradient of the rows: clears the whole of it, then reads and writes a row for
/// each number.
inline OpCost cost_of_lookup_grad(const std::vector<Tensor>& in, const std::vector<Tensor>& out, const Attributes&) {
  return {static_cast<double>(in[1].elements()),
          static_cast<double>(in[0].bytes() + 3 * in[1].bytes() + out[0].bytes())};
}

}  // namespace dtbench
