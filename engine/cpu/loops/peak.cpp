#ifdef __x86_64__
#include <immintrin.h>
#endif

#include "engine/cpu/loops/isa_loops.h"

namespace dtbench::DTBENCH_ISA {

namespace {

#if defined(__AVX512F__)
using Vector = __m512;
inline Vector multiply_add_one(Vector a, Vector b, Vector c) { return _mm512_fmadd_ps(a, b, c); }
#elif defined(__FMA__)
using Vector = __m256;
inline Vector multiply_add_one(Vector a, Vector b, Vector c) { return _mm256_fmadd_ps(a, b, c); }
#else
typedef float Vector __attribute__((vector_size(16)));
inline Vector multiply_add_one(Vector a, Vector b, Vector c) { return a * b + c; }
#endif

constexpr int kFloatsInVector = sizeof(Vector) / sizeof(float);
// Two units of four to five cycles latency need ten; the rest covers delays on a core that is shared with another
// thread. With the two constants they fill the 16 registers of all levels but the last.
constexpr int kChains = 14;

}  // namespace

double multiply_add(std::int64_t rounds, float* sink) {
  const Vector factor = Vector{} + 0.999999F, term = Vector{} + 1e-6F;
  Vector chain[kChains];
  for (int c = 0; c < kChains; ++c) chain[c] = Vector{} + static_cast<float>(c);
  for (std::int64_t round = 0; round < rounds; ++round) {
#pragma GCC unroll 16
    for (int c = 0; c < kChains; ++c) chain[c] = multiply_add_one(chain[c], factor, term);
  }
  Vector sum{};
  for (int c = 0; c < kChains; ++c) sum += chain[c];
  *sink = sum[0];
  return 2.0 * kFloatsInVector * kChains * static_cast<double>(rounds);
}

void triad(const float* __restrict b, const float* __restrict c, float* __restrict a, std::int64_t count) {
  for (std::int64_t i = 0; i < count; ++i) a[i] = b[i] + 3.0F * c[i];
}

}  // namespace dtbench::DTBENCH_ISA
