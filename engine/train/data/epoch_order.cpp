#include "engine/train/data/epoch_order.h"

#include <numeric>
#include <random>
#include <utility>

#include "topologies/base/error.h"

namespace dtbench {

EpochOrder::EpochOrder(std::int64_t examples, std::uint64_t seed)
    : seed_(seed), order_(static_cast<std::size_t>(examples)) {
  DTBENCH_CHECK(examples >= 1 && examples <= INT32_MAX);
}

void EpochOrder::start_epoch(std::int64_t epoch) {
  std::iota(order_.begin(), order_.end(), 0);
  std::seed_seq seed{static_cast<std::uint32_t>(seed_), static_cast<std::uint32_t>(seed_ >> 32),
                     static_cast<std::uint32_t>(epoch)};
  std::mt19937_64 random(seed);
  // Fisher-Yates written out: std::shuffle may differ between standard libraries, a seed must not.
  for (std::size_t i = order_.size() - 1; i > 0; --i) std::swap(order_[i], order_[random() % (i + 1)]);
}

}  // namespace dtbench
