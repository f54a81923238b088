#include "engine/cpu/isa.h"

#include <algorithm>

namespace dtbench {

std::string_view name_of(Isa isa) {
  constexpr std::array<std::string_view, kIsas.size()> kNames = {"baseline", "sse4.2", "avx2", "avx512"};
  return kNames[static_cast<std::size_t>(isa)];
}

bool is_available(Isa isa) {
  switch (isa) {
    case Isa::baseline:
      return true;
#ifdef __x86_64__
    case Isa::x86_64_v2:
      return __builtin_cpu_supports("x86-64-v2");
    case Isa::x86_64_v3:
      return __builtin_cpu_supports("x86-64-v3");
    case Isa::x86_64_v4:
      return __builtin_cpu_supports("x86-64-v4");
#endif
    default:
      return false;
  }
}

Isa widest_isa() { return *std::find_if(kIsas.rbegin(), kIsas.rend(), is_available); }

}  // namespace dtbench
