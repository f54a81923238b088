// How a dynamic loss scale goes on after a step: one place for the kernels of every back end.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>

namespace dtbench {

/// `counters` are {good steps in a row, skipped steps, culprit of the last skipped step}. Halved after a step that was
/// skipped, but never below 1; doubled after `growth_steps` good ones, unless that is infinite in the type of the scale.
template <class Real>
void advance_loss_scale(bool finite, std::int32_t culprit, std::int32_t growth_steps, Real& scale,
                        std::span<std::int32_t> counters) {
  std::int32_t &good = counters[0], &skipped = counters[1];
  if (!finite) {
    scale = std::max(scale / 2, Real(1));
    good = 0;
    ++skipped;
    counters[2] = culprit;
  } else if (++good >= growth_steps) {
    if (std::isfinite(2 * scale)) scale *= 2;
    good = 0;
  }
}

}  // namespace dtbench
