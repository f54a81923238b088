// The factories of the reference kernels, as kernel_table.cpp lists them.
#pragma once

#include <memory>

#include "engine/runtime/device.h"

namespace dtbench::reference {

std::unique_ptr<Kernel> make_dense(const KernelRequest& request);
std::unique_ptr<Kernel> make_dense_grad_input(const KernelRequest& request);
std::unique_ptr<Kernel> make_dense_grad_weight(const KernelRequest& request);
std::unique_ptr<Kernel> make_bias(const KernelRequest& request);
std::unique_ptr<Kernel> make_bias_grad(const KernelRequest& request);
std::unique_ptr<Kernel> make_relu(const KernelRequest& request);
std::unique_ptr<Kernel> make_relu_grad(const KernelRequest& request);
std::unique_ptr<Kernel> make_slice_rows(const KernelRequest& request);
std::unique_ptr<Kernel> make_slice_rows_grad(const KernelRequest& request);
std::unique_ptr<Kernel> make_softmax_cross_entropy(const KernelRequest& request);
std::unique_ptr<Kernel> make_softmax_cross_entropy_grad(const KernelRequest& request);
std::unique_ptr<Kernel> make_add(const KernelRequest& request);
std::unique_ptr<Kernel> make_sgd_momentum(const KernelRequest& request);

}  // namespace dtbench::reference
