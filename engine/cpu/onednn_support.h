// What oneDNN can do on this machine; the one place that kernels ask before they choose a way.
#pragma once

#include "engine/plan/tensor.h"

namespace dtbench {

/// Whether oneDNN has products and convolutions of this storage type here: float32 always, bfloat16 from AVX-512 on
/// (natively or emulated), float16 in no version 2. ONEDNN_MAX_CPU_ISA narrows it like everything else in the library.
/// Where it is false, kernels compute through float copies.
bool onednn_computes(DType type);

}  // namespace dtbench
