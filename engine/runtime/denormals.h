// Denormal floats: on x86 each operation on one costs some hundred cycles, and the gradients of a batch that has been
// learnt consist of them; step times would then say nothing about the machine.
#pragma once

namespace dtbench {

/// The calling thread, and threads that it makes later, treat denormals as zero from now on, as GPUs' fast paths and
/// the usual training frameworks do. Without effect on machines other than x86.
void treat_denormals_as_zero();

}  // namespace dtbench
