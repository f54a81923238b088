// Matrix products by oneDNN; the only place that knows its interface (2.6, which 3.x broke).
#pragma once

#include <cstdint>
#include <memory>

#include "engine/plan/tensor.h"

namespace dtbench {

/// c = a * b, row-major and contiguous; a transposed operand is stored as its transpose.
struct MatmulRequest {
  std::int64_t rows = 0, columns = 0;  ///< of c
  std::int64_t depth = 0;              ///< length of the sums; 0 makes c zero
  bool transpose_a = false, transpose_b = false;
  const void *a = nullptr, *b = nullptr;
  void* c = nullptr;
  DType type = DType::float32;  ///< of all three (onednn_computes); sums are kept in float
};

/// The library's ways to a product. `primitive` (dnnl::matmul) is prepared once and packs the second operand;
/// `gemm` (dnnl_sgemm) packs both, takes its buffers from the heap at each call, wins where the second is large, and is
/// for float32 only.
enum class MatmulWay { primitive, gemm };

/// The faster one for these sizes, as measured (README.md). Never by a stop-watch at run time: the same request gives
/// the same bits.
MatmulWay faster_way(const MatmulRequest& request);

class OnednnMatmul {
 public:
  /// Prepared for a team of `threads`, and run by as many.
  OnednnMatmul(const MatmulRequest& request, int threads) : OnednnMatmul(request, threads, faster_way(request)) {}
  OnednnMatmul(const MatmulRequest& request, int threads, MatmulWay way);
  ~OnednnMatmul();
  OnednnMatmul(OnednnMatmul&&) noexcept;
  void run();

 private:
  struct Prepared;
  std::unique_ptr<Prepared> prepared_;
};

}  // namespace dtbench
