// Products of matrices that lie inside wider ones (the heads of attention), bound to other addresses at each call.
#pragma once

#include <cstdint>
#include <memory>

#include "engine/plan/tensor.h"

namespace dtbench {

/// An operand as the product sees it; `stride` elements from row to row as stored, `transposed` when stored as its
/// transpose.
struct StridedMatrix {
  std::int64_t rows = 0, columns = 0, stride = 0;
  bool transposed = false;
  DType dtype = DType::float32;  ///< one that onednn_computes
};

/// c = a * b with sums in float32, on the calling thread alone. Holds scratch memory: one object a thread.
class OnednnStridedMatmul {
 public:
  OnednnStridedMatmul(const StridedMatrix& a, const StridedMatrix& b, const StridedMatrix& c);
  ~OnednnStridedMatmul();
  OnednnStridedMatmul(OnednnStridedMatmul&&) noexcept;
  void run(const void* a, const void* b, void* c);

 private:
  struct Prepared;
  std::unique_ptr<Prepared> prepared_;
};

}  // namespace dtbench
