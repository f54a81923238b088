// Which example a replica sees when: a new permutation every epoch, cut so that the global batch of a step is the same
// set of examples in the same order whatever the number of replicas.
#pragma once

#include <cstdint>
#include <vector>

namespace dtbench {

class EpochOrder {
 public:
  EpochOrder(std::int64_t examples, std::uint64_t seed);
  /// Shuffles for `epoch` (0, 1, ...): depends on seed and epoch only, not on what was asked before.
  void start_epoch(std::int64_t epoch);
  std::int64_t example(std::int64_t position) const { return order_[static_cast<std::size_t>(position)]; }

 private:
  std::uint64_t seed_;
  std::vector<std::int32_t> order_;
};

}  // namespace dtbench
