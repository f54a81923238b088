// On which logical CPUs a thread may run.
#pragma once

#include <vector>

namespace dtbench {

/// False when the system refuses.
bool pin_this_thread(const std::vector<int>& cpus);

/// Ascending.
std::vector<int> cpus_of_this_thread();

}  // namespace dtbench
