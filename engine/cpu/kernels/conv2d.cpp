#include <algorithm>
#include <type_traits>
#include <vector>

#include "engine/cpu/kernels/arrays.h"
#include "engine/cpu/kernels/kernels.h"
#include "engine/cpu/onednn_convolution.h"

namespace dtbench::cpu {

namespace {

/// Elements of the two inputs and of the output.
struct Counts {
  std::int64_t first = 0, second = 0, target = 0;
};

/// For types that oneDNN does not compute here: by way of float copies.
template <class T>
class ConvertedConvolution {
 public:
  ConvertedConvolution(const ConvolutionRequest& request, const Counts& counts, const CoreTeam& team)
      : team_(team), request_(request), counts_(counts) {
    for (const std::int64_t count : {counts.first, counts.second, counts.target})
      copies_.emplace_back(static_cast<std::size_t>(count));
    ConvolutionRequest wide = request;
    wide.dtype = DType::float32;
    wide.first = copies_[0].data();
    wide.second = copies_[1].data();
    wide.target = copies_[2].data();
    convolution_.emplace_back(wide, team);
  }

  void operator()() {
    widen(static_cast<const T*>(request_.first), copies_[0].data(), counts_.first);
    widen(static_cast<const T*>(request_.second), copies_[1].data(), counts_.second);
    convolution_.front().run();
    auto* target = static_cast<T*>(request_.target);
    team_.split(counts_.target, kGrain, [&](const Piece& piece) {
      loops().of<T>().from_float(copies_[2].data() + piece.first, target + piece.first, piece.last - piece.first);
    });
  }

 private:
  void widen(const T* from, float* to, std::int64_t count) const {
    team_.split(count, kGrain, [&](const Piece& piece) {
      loops().of<T>().to_float(from + piece.first, to + piece.first, piece.last - piece.first);
    });
  }

  const CoreTeam& team_;
  ConvolutionRequest request_;
  Counts counts_;
  std::vector<std::vector<float>> copies_;
  std::vector<OnednnConvolution> convolution_;
};

/// A window of one pixel at every place is a matrix product of pixels by channels with the weight.
bool is_product(const ImageShape& s) {
  return s.window_height == 1 && s.window_width == 1 && s.stride == 1 && s.padding == 0 && s.groups == 1;
}

Buffer as_matrix(Buffer buffer) {
  const RowShape shape = row_shape(buffer);
  buffer.shape = {shape.rows, shape.columns};
  return buffer;
}

std::unique_ptr<Kernel> make_product(const KernelRequest& request, const CoreTeam& team, ConvolutionPass pass) {
  KernelRequest flat = request;
  for (auto* buffers : {&flat.inputs, &flat.outputs})
    std::transform(buffers->begin(), buffers->end(), buffers->begin(), as_matrix);
  if (pass == ConvolutionPass::forward) return make_dense(flat, team);
  return pass == ConvolutionPass::grad_input ? make_dense_grad_input(flat, team) : make_dense_grad_weight(flat, team);
}

std::unique_ptr<Kernel> make_convolution(const KernelRequest& request, const CoreTeam& team, ConvolutionPass pass,
                                         const ImageShape& shape) {
  if (is_product(shape) && request.outputs.at(0).dtype == DType::float32) return make_product(request, team, pass);
  const auto made = [&]<class T>(T) -> std::unique_ptr<Kernel> {
    const ConvolutionRequest convolution = {.pass = pass,
                                            .shape = shape,
                                            .dtype = dtype_of<T>,
                                            .first = input<T>(request, 0),
                                            .second = input<T>(request, 1),
                                            .target = output<T>(request, 0)};
    if constexpr (!std::is_same_v<T, float>)
      if (!OnednnConvolution::computes(dtype_of<T>))
        return make_kernel(ConvertedConvolution<T>(
            convolution, {request.inputs[0].elements(), request.inputs[1].elements(), request.outputs[0].elements()},
            team));
    return make_kernel([run = OnednnConvolution(convolution, team)]() mutable { run.run(); });
  };
  return visit_dtype<float, Bfloat16, Float16>(request.outputs.at(0).dtype, request.op.name, made);
}

}  // namespace

std::unique_ptr<Kernel> make_conv2d(const KernelRequest& request, const CoreTeam& team) {
  return make_convolution(request, team, ConvolutionPass::forward,
                          convolution_shape(request.inputs.at(0).shape, request.inputs.at(1).shape,
                                            request.outputs.at(0).shape, request.op.attributes));
}

std::unique_ptr<Kernel> make_conv2d_grad_input(const KernelRequest& request, const CoreTeam& team) {
  return make_convolution(request, team, ConvolutionPass::grad_input,
                          convolution_shape(request.outputs.at(0).shape, request.inputs.at(1).shape,
                                            request.inputs.at(0).shape, request.op.attributes));
}

std::unique_ptr<Kernel> make_conv2d_grad_weight(const KernelRequest& request, const CoreTeam& team) {
  return make_convolution(request, team, ConvolutionPass::grad_weight,
                          convolution_shape(request.inputs.at(0).shape, request.outputs.at(0).shape,
                                            request.inputs.at(1).shape, request.op.attributes));
}

}  // namespace dtbench::cpu
