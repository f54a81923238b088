// The factories of the CPU kernels, as kernel_table.cpp lists them. `team` outlives the kernel.
#pragma once

#include <memory>

#include "engine/cpu/core_team.h"
#include "engine/runtime/device.h"

namespace dtbench::cpu {

std::unique_ptr<Kernel> make_dense(const KernelRequest& request, const CoreTeam& team);
std::unique_ptr<Kernel> make_dense_grad_input(const KernelRequest& request, const CoreTeam& team);
std::unique_ptr<Kernel> make_dense_grad_weight(const KernelRequest& request, const CoreTeam& team);
std::unique_ptr<Kernel> make_bias(const KernelRequest& request, const CoreTeam& team);
std::unique_ptr<Kernel> make_bias_grad(const KernelRequest& request, const CoreTeam& team);
std::unique_ptr<Kernel> make_cast(const KernelRequest& request, const CoreTeam& team);
std::unique_ptr<Kernel> make_relu(const KernelRequest& request, const CoreTeam& team);
std::unique_ptr<Kernel> make_relu_grad(const KernelRequest& request, const CoreTeam& team);
std::unique_ptr<Kernel> make_slice_rows(const KernelRequest& request, const CoreTeam& team);
std::unique_ptr<Kernel> make_slice_rows_grad(const KernelRequest& request, const CoreTeam& team);
std::unique_ptr<Kernel> make_softmax_cross_entropy(const KernelRequest& request, const CoreTeam& team);
std::unique_ptr<Kernel> make_softmax_cross_entropy_grad(const KernelRequest& request, const CoreTeam& team);
std::unique_ptr<Kernel> make_add(const KernelRequest& request, const CoreTeam& team);
std::unique_ptr<Kernel> make_sgd_momentum(const KernelRequest& request, const CoreTeam& team);
std::unique_ptr<Kernel> make_attention(const KernelRequest& request, const CoreTeam& team);
std::unique_ptr<Kernel> make_attention_grad(const KernelRequest& request, const CoreTeam& team);
std::unique_ptr<Kernel> make_dropout(const KernelRequest& request, const CoreTeam& team);
std::unique_ptr<Kernel> make_dropout_grad(const KernelRequest& request, const CoreTeam& team);
std::unique_ptr<Kernel> make_embedding(const KernelRequest& request, const CoreTeam& team);
std::unique_ptr<Kernel> make_embedding_grad(const KernelRequest& request, const CoreTeam& team);
std::unique_ptr<Kernel> make_gather_rows(const KernelRequest& request, const CoreTeam& team);
std::unique_ptr<Kernel> make_gather_rows_grad(const KernelRequest& request, const CoreTeam& team);
std::unique_ptr<Kernel> make_gelu(const KernelRequest& request, const CoreTeam& team);
std::unique_ptr<Kernel> make_gelu_grad(const KernelRequest& request, const CoreTeam& team);
std::unique_ptr<Kernel> make_layer_norm(const KernelRequest& request, const CoreTeam& team);
std::unique_ptr<Kernel> make_layer_norm_grad(const KernelRequest& request, const CoreTeam& team);
std::unique_ptr<Kernel> make_tanh(const KernelRequest& request, const CoreTeam& team);
std::unique_ptr<Kernel> make_tanh_grad(const KernelRequest& request, const CoreTeam& team);
std::unique_ptr<Kernel> make_average_pool2d(const KernelRequest& request, const CoreTeam& team);
std::unique_ptr<Kernel> make_average_pool2d_grad(const KernelRequest& request, const CoreTeam& team);
std::unique_ptr<Kernel> make_batch_norm(const KernelRequest& request, const CoreTeam& team);
std::unique_ptr<Kernel> make_batch_norm_grad_input(const KernelRequest& request, const CoreTeam& team);
std::unique_ptr<Kernel> make_batch_norm_grad_statistics(const KernelRequest& request, const CoreTeam& team);
std::unique_ptr<Kernel> make_batch_norm_inference(const KernelRequest& request, const CoreTeam& team);
std::unique_ptr<Kernel> make_batch_norm_statistics(const KernelRequest& request, const CoreTeam& team);
std::unique_ptr<Kernel> make_conv2d(const KernelRequest& request, const CoreTeam& team);
std::unique_ptr<Kernel> make_conv2d_grad_input(const KernelRequest& request, const CoreTeam& team);
std::unique_ptr<Kernel> make_conv2d_grad_weight(const KernelRequest& request, const CoreTeam& team);
std::unique_ptr<Kernel> make_global_average_pool(const KernelRequest& request, const CoreTeam& team);
std::unique_ptr<Kernel> make_global_average_pool_grad(const KernelRequest& request, const CoreTeam& team);
std::unique_ptr<Kernel> make_max_pool2d(const KernelRequest& request, const CoreTeam& team);
std::unique_ptr<Kernel> make_max_pool2d_grad(const KernelRequest& request, const CoreTeam& team);
std::unique_ptr<Kernel> make_reshape(const KernelRequest& request, const CoreTeam& team);
std::unique_ptr<Kernel> make_all_finite(const KernelRequest& request, const CoreTeam& team);
std::unique_ptr<Kernel> make_update_loss_scale(const KernelRequest& request, const CoreTeam& team);

}  // namespace dtbench::cpu
