// Which sizes a fit is checked on: a third of them, left out of it.
#pragma once

#include <set>
#include <vector>

namespace dtbench {

/// Every third of the different sizes, the second of three: mostly between sizes that are kept.
inline std::set<double> left_out(const std::vector<double>& sizes) {
  std::set<double> out;
  int index = 0;
  for (const double size : std::set<double>(sizes.begin(), sizes.end()))
    if (index++ % 3 == 1) out.insert(size);
  return out;
}

}  // namespace dtbench
