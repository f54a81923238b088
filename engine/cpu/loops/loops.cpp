#include "engine/cpu/loops/loops.h"

namespace dtbench {

namespace baseline {
extern const Loops kLoops;
}
#ifdef __x86_64__
namespace x86_64_v2 {
extern const Loops kLoops;
}
namespace x86_64_v3 {
extern const Loops kLoops;
}
namespace x86_64_v4 {
extern const Loops kLoops;
}
#endif

const Loops* loops_of(Isa isa) {
  if (!is_available(isa)) return nullptr;
  switch (isa) {
#ifdef __x86_64__
    case Isa::x86_64_v2:
      return &x86_64_v2::kLoops;
    case Isa::x86_64_v3:
      return &x86_64_v3::kLoops;
    case Isa::x86_64_v4:
      return &x86_64_v4::kLoops;
#endif
    default:
      return &baseline::kLoops;
  }
}

const Loops& loops() {
  static const Loops& widest = *loops_of(widest_isa());
  return widest;
}

}  // namespace dtbench
