// Convolutions by oneDNN 2.6. Images stay as they are, [B,H,W,C]; weights are brought into the order that the primitive
// wants before each run (those of the gradient: back after it), since every step changes them.
#pragma once

#include <memory>

#include "engine/cpu/core_team.h"
#include "engine/plan/ops/image_shape.h"

namespace dtbench {

enum class ConvolutionPass { forward, grad_input, grad_weight };

/// target = forward: conv(x, w); grad_input: of dy, w; grad_weight: of x, dy. All stored as `dtype`, sums in float.
struct ConvolutionRequest {
  ConvolutionPass pass = ConvolutionPass::forward;
  ImageShape shape;
  DType dtype = DType::float32;  ///< one that onednn_computes
  const void *first = nullptr, *second = nullptr;
  void* target = nullptr;
};

class OnednnConvolution {
 public:
  /// `run` is called by the thread that leads `team`; scratch memory is the team's.
  OnednnConvolution(const ConvolutionRequest& request, const CoreTeam& team);
  ~OnednnConvolution();
  OnednnConvolution(OnednnConvolution&&) noexcept;
  void run();

 private:
  struct Prepared;
  std::unique_ptr<Prepared> prepared_;
};

}  // namespace dtbench
