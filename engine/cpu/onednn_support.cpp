#include "engine/cpu/onednn_support.h"

#include "engine/cpu/onednn_type.h"

namespace dtbench {

namespace {

/// By trying, not by a list of instruction sets, which every release of the library makes longer.
bool multiplies_bfloat16() {
  const dnnl::memory::desc one({1, 1}, onednn_type_of(DType::bfloat16), dnnl::memory::format_tag::ab);
  try {
    dnnl::matmul::primitive_desc({one, one, one}, dnnl::engine(dnnl::engine::kind::cpu, 0));
    return true;
  } catch (const dnnl::error&) {
    return false;
  }
}

}  // namespace

bool onednn_computes(DType type) {
  if (type == DType::float32) return true;
  static const bool kHasBfloat16 = multiplies_bfloat16();
  return type == DType::bfloat16 && kHasBfloat16;
}

}  // namespace dtbench
