// The instruction set levels that the loops are compiled for (engine/cpu/loops, one static library a level).
#pragma once

#include <array>
#include <string_view>

namespace dtbench {

/// Levels of the x86-64 psABI: v2 SSE4.2, v3 AVX2 and FMA, v4 AVX-512 (F, BW, CD, DQ, VL). Other processors have
/// `baseline` only.
enum class Isa { baseline, x86_64_v2, x86_64_v3, x86_64_v4 };

inline constexpr std::array<Isa, 4> kIsas = {Isa::baseline, Isa::x86_64_v2, Isa::x86_64_v3, Isa::x86_64_v4};

/// "baseline", "sse4.2", "avx2", "avx512".
std::string_view name_of(Isa isa);

/// Compiled in and understood by this processor (and its operating system).
bool is_available(Isa isa);

/// The widest available level.
Isa widest_isa();

}  // namespace dtbench
