#include "engine/cpu/kernel_table.h"

#include <fmt/format.h>

#include <algorithm>

#include "engine/cpu/kernels/kernels.h"
#include "topologies/base/error.h"

namespace dtbench {

namespace {

constexpr CpuKernelRow kRows[] = {
    {"dense", cpu::make_dense},
    {"dense_grad_input", cpu::make_dense_grad_input},
    {"dense_grad_weight", cpu::make_dense_grad_weight},
    {"bias", cpu::make_bias},
    {"bias_grad", cpu::make_bias_grad},
    {"cast", cpu::make_cast},
    {"relu", cpu::make_relu},
    {"relu_grad", cpu::make_relu_grad},
    {"slice_rows", cpu::make_slice_rows},
    {"slice_rows_grad", cpu::make_slice_rows_grad},
    {"softmax_cross_entropy", cpu::make_softmax_cross_entropy},
    {"softmax_cross_entropy_grad", cpu::make_softmax_cross_entropy_grad},
    {"add", cpu::make_add},
    {"sgd_momentum", cpu::make_sgd_momentum},
    {"attention", cpu::make_attention},
    {"attention_grad", cpu::make_attention_grad},
    {"dropout", cpu::make_dropout},
    {"dropout_grad", cpu::make_dropout_grad},
    {"embedding", cpu::make_embedding},
    {"embedding_grad", cpu::make_embedding_grad},
    {"gather_rows", cpu::make_gather_rows},
    {"gather_rows_grad", cpu::make_gather_rows_grad},
    {"gelu", cpu::make_gelu},
    {"gelu_grad", cpu::make_gelu_grad},
    {"layer_norm", cpu::make_layer_norm},
    {"layer_norm_grad", cpu::make_layer_norm_grad},
    {"tanh", cpu::make_tanh},
    {"tanh_grad", cpu::make_tanh_grad},
    {"average_pool2d", cpu::make_average_pool2d},
    {"average_pool2d_grad", cpu::make_average_pool2d_grad},
    {"batch_norm", cpu::make_batch_norm},
    {"batch_norm_grad_input", cpu::make_batch_norm_grad_input},
    {"batch_norm_grad_statistics", cpu::make_batch_norm_grad_statistics},
    {"batch_norm_inference", cpu::make_batch_norm_inference},
    {"batch_norm_statistics", cpu::make_batch_norm_statistics},
    {"conv2d", cpu::make_conv2d},
    {"conv2d_grad_input", cpu::make_conv2d_grad_input},
    {"conv2d_grad_weight", cpu::make_conv2d_grad_weight},
    {"global_average_pool", cpu::make_global_average_pool},
    {"global_average_pool_grad", cpu::make_global_average_pool_grad},
    {"max_pool2d", cpu::make_max_pool2d},
    {"max_pool2d_grad", cpu::make_max_pool2d_grad},
    {"reshape", cpu::make_reshape},
    {"all_finite", cpu::make_all_finite},
    {"update_loss_scale", cpu::make_update_loss_scale},
};

}  // namespace

std::span<const CpuKernelRow> cpu_kernels() { return kRows; }

std::unique_ptr<Kernel> make_cpu_kernel(const KernelRequest& request, const CoreTeam& team) {
  const auto* row = std::ranges::find(kRows, std::string_view(request.op.kind), &CpuKernelRow::kind);
  if (row == std::end(kRows)) {
    throw_bad_input({.where = request.op.name,
                     .found = fmt::format("operation kind '{}'", request.op.kind),
                     .expected = "a kind that the CPU back end has a kernel for"});
  }
  return row->make(request, team);
}

}  // namespace dtbench
