#include "engine/reference/kernel_table.h"

#include <fmt/format.h>

#include <algorithm>

#include "engine/reference/kernels/kernels.h"
#include "topologies/base/error.h"

namespace dtbench {

namespace {

constexpr ReferenceKernelRow kRows[] = {
    {"dense", reference::make_dense},
    {"dense_grad_input", reference::make_dense_grad_input},
    {"dense_grad_weight", reference::make_dense_grad_weight},
    {"bias", reference::make_bias},
    {"bias_grad", reference::make_bias_grad},
    {"cast", reference::make_cast},
    {"relu", reference::make_relu},
    {"relu_grad", reference::make_relu_grad},
    {"slice_rows", reference::make_slice_rows},
    {"slice_rows_grad", reference::make_slice_rows_grad},
    {"softmax_cross_entropy", reference::make_softmax_cross_entropy},
    {"softmax_cross_entropy_grad", reference::make_softmax_cross_entropy_grad},
    {"add", reference::make_add},
    {"sgd_momentum", reference::make_sgd_momentum},
    {"attention", reference::make_attention},
    {"attention_grad", reference::make_attention_grad},
    {"dropout", reference::make_dropout},
    {"dropout_grad", reference::make_dropout_grad},
    {"embedding", reference::make_embedding},
    {"embedding_grad", reference::make_embedding_grad},
    {"gather_rows", reference::make_gather_rows},
    {"gather_rows_grad", reference::make_gather_rows_grad},
    {"gelu", reference::make_gelu},
    {"gelu_grad", reference::make_gelu_grad},
    {"layer_norm", reference::make_layer_norm},
    {"layer_norm_grad", reference::make_layer_norm_grad},
    {"tanh", reference::make_tanh},
    {"tanh_grad", reference::make_tanh_grad},
    {"average_pool2d", reference::make_average_pool2d},
    {"average_pool2d_grad", reference::make_average_pool2d_grad},
    {"batch_norm", reference::make_batch_norm},
    {"batch_norm_grad_input", reference::make_batch_norm_grad_input},
    {"batch_norm_grad_statistics", reference::make_batch_norm_grad_statistics},
    {"batch_norm_inference", reference::make_batch_norm_inference},
    {"batch_norm_statistics", reference::make_batch_norm_statistics},
    {"conv2d", reference::make_conv2d},
    {"conv2d_grad_input", reference::make_conv2d_grad_input},
    {"conv2d_grad_weight", reference::make_conv2d_grad_weight},
    {"global_average_pool", reference::make_global_average_pool},
    {"global_average_pool_grad", reference::make_global_average_pool_grad},
    {"max_pool2d", reference::make_max_pool2d},
    {"max_pool2d_grad", reference::make_max_pool2d_grad},
    {"reshape", reference::make_reshape},
    {"all_finite", reference::make_all_finite},
    {"update_loss_scale", reference::make_update_loss_scale},
};

}  // namespace

std::span<const ReferenceKernelRow> reference_kernels() { return kRows; }

std::unique_ptr<Kernel> make_reference_kernel(const KernelRequest& request) {
  const auto* row = std::ranges::find(kRows, std::string_view(request.op.kind), &ReferenceKernelRow::kind);
  if (row == std::end(kRows)) {
    throw_bad_input({.where = request.op.name,
                     .found = fmt::format("operation kind '{}'", request.op.kind),
                     .expected = "a kind that the reference back end has a kernel for"});
  }
  return row->make(request);
}

}  // namespace dtbench
