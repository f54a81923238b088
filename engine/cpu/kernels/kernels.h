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
std::unique_ptr<Kernel> make_relu(const KernelRequest& request, const CoreTeam& team);
std::unique_ptr<Kernel> make_relu_grad(const KernelRequest& request, const CoreTeam& team);
std::unique_ptr<Kernel> make_slice_rows(const KernelRequest& request, const CoreTeam& team);
std::unique_ptr<Kernel> make_slice_rows_grad(const KernelRequest& request, const CoreTeam& team);
std::unique_ptr<Kernel> make_softmax_cross_entropy(const KernelRequest& request, const CoreTeam& team);
std::unique_ptr<Kernel> make_softmax_cross_entropy_grad(const KernelRequest& request, const CoreTeam& team);
std::unique_ptr<Kernel> make_add(const KernelRequest& request, const CoreTeam& team);
std::unique_ptr<Kernel> make_sgd_momentum(const KernelRequest& request, const CoreTeam& team);

}  // namespace dtbench::cpu
