#include <algorithm>

#include "engine/cpu/kernels/arrays.h"
#include "engine/cpu/kernels/kernels.h"
#include "engine/cpu/kernels/widened.h"
#include "engine/cpu/onednn_convolution.h"
#include "engine/cpu/onednn_support.h"

namespace dtbench::cpu {

namespace {

/// A window of one pixel at every place is a matrix product of pixels by channels with the weight.
bool is_product(const ImageShape& s) {
  return s.window_height == 1 && s.window_width == 1 && s.stride == 1 && s.padding == 0 && s.groups == 1;
}

Buffer as_matrix(Buffer buffer) {
  const RowShape shape = row_shape(buffer);
  buffer.shape = {shape.rows, shape.columns};
  return buffer;
}

std::unique_ptr<Kernel> make_pixel_product(const KernelRequest& request, const CoreTeam& team, ConvolutionPass pass) {
  KernelRequest flat = request;
  for (auto* buffers : {&flat.inputs, &flat.outputs})
    std::transform(buffers->begin(), buffers->end(), buffers->begin(), as_matrix);
  if (pass == ConvolutionPass::forward) return make_dense(flat, team);
  return pass == ConvolutionPass::grad_input ? make_dense_grad_input(flat, team) : make_dense_grad_weight(flat, team);
}

template <class T>
std::unique_ptr<Kernel> direct_convolution(const KernelRequest& request, const CoreTeam& team,
                                           ConvolutionRequest convolution) {
  convolution.dtype = dtype_of<T>;
  convolution.first = input<T>(request, 0);
  convolution.second = input<T>(request, 1);
  convolution.target = output<T>(request, 0);
  return make_kernel([run = OnednnConvolution(convolution, team)]() mutable { run.run(); });
}

template <class T>
std::unique_ptr<Kernel> widened_convolution(const KernelRequest& request, const CoreTeam& team,
                                            ConvolutionRequest convolution) {
  return make_widened<T>(request, team, 0, 1, [&](const float* first, const float* second, float* target) {
    convolution.first = first;
    convolution.second = second;
    convolution.target = target;
    return OnednnConvolution(convolution, team);
  });
}

std::unique_ptr<Kernel> make_convolution(const KernelRequest& request, const CoreTeam& team, ConvolutionPass pass,
                                         const ImageShape& shape) {
  const DType stored = request.outputs.at(0).dtype;
  const bool in_float = stored == DType::float32 || !onednn_computes(stored);
  if (is_product(shape) && in_float) return make_pixel_product(request, team, pass);
  const ConvolutionRequest convolution = {.pass = pass, .shape = shape};
  return visit_dtype<float, Bfloat16, Float16>(stored, request.op.name, [&]<class T>(T) {
    return onednn_computes(dtype_of<T>) ? direct_convolution<T>(request, team, convolution)
                                        : widened_convolution<T>(request, team, convolution);
  });
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
