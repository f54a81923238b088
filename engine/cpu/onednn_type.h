// Storage types in oneDNN's terms.
#pragma once

#include <oneapi/dnnl/dnnl.hpp>

#include "engine/plan/tensor.h"
#include "topologies/base/error.h"

namespace dtbench {

/// Of those that primitives are made for (onednn_support.h).
inline dnnl::memory::data_type onednn_type_of(DType type) {
  DTBENCH_CHECK(type == DType::float32 || type == DType::bfloat16);
  return type == DType::bfloat16 ? dnnl::memory::data_type::bf16 : dnnl::memory::data_type::f32;
}

}  // namespace dtbench
