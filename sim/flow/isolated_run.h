// Runs a piece of work in a forked child: a library that aborts, crashes or hangs ends the child and is an Error here.
//
// The network library has one engine per process and calls abort() on what it does not like; each simulation therefore
// has a process of its own, which also starts its clock at 0. Costs about 1 ms.
//
// When this process has threads: the child has only the calling one, and any lock that another thread held at the fork
// stays locked in it for ever. `work` must therefore only compute: memory may be allocated (the C library takes care of
// its own locks), but nothing may be logged, no thread pool used, no file of the parent touched. Should it wait for a
// lost lock all the same, the limit ends it. What it writes to stdout or stderr is passed on to stderr when it succeeds
// and ends up in the Error when it doesn't. The child leaves without running destructors of static objects.
#pragma once

#include <functional>
#include <vector>

namespace dtbench {

/// What `work` returned. An Error thrown in the child is thrown here again, as it was. Anything else that keeps it from
/// returning, including `limit_seconds` of wall time, is an Error `run_failed`.
std::vector<double> isolated_run(const std::function<std::vector<double>()>& work, double limit_seconds);

}  // namespace dtbench
