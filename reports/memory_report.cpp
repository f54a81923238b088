#include "reports/memory_report.h"

#include "topologies/base/error.h"

namespace dtbench {

MemoryReport memory_report(const MemoryUse& use, std::int64_t capacity) {
  DTBENCH_CHECK(capacity > 0);
  const double share = static_cast<double>(use.total) / static_cast<double>(capacity);
  return {.weights = use.weights,
          .gradients = use.gradients,
          .optimizer = use.optimizer,
          .activations = use.activations,
          .workspace = use.workspace,
          .total = use.total,
          .capacity = capacity,
          .verdict = share > 1             ? "no"
                     : share > kTightShare ? "tight"
                                           : "fits"};
}

}  // namespace dtbench
