// What libgomp reads from the environment before `main` and never again.
#pragma once

namespace dtbench {

/// Starts this program anew with GOMP_SPINCOUNT set, unless it or OMP_WAIT_POLICY is set already. By default the
/// members of a team spin 300,000 rounds before they sleep: beside any other load that costs a step of two threads
/// three times its duration. Returns when nothing had to be done or could be done.
void limit_openmp_spinning(char** argv);

}  // namespace dtbench
