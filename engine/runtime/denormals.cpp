#include "engine/runtime/denormals.h"

#if defined(__SSE2__)
#include <xmmintrin.h>
#endif

namespace dtbench {

void treat_denormals_as_zero() {
#if defined(__SSE2__)
  constexpr unsigned kFlushResultsToZero = 1u << 15, kReadDenormalsAsZero = 1u << 6;
  _mm_setcsr(_mm_getcsr() | kFlushResultsToZero | kReadDenormalsAsZero);
#endif
}

}  // namespace dtbench
