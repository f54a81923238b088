#include "engine/cpu/loops/isa_loops.h"

namespace dtbench::DTBENCH_ISA {

extern const Loops kLoops;

// Constant-initialised: code of this level must not run at start-up.
constinit const Loops kLoops = {
    .add = add,
    .relu = relu,
    .relu_grad = relu_grad,
    .bias = bias,
    .bias_grad = bias_grad,
    .softmax_cross_entropy = softmax_cross_entropy,
    .softmax_cross_entropy_grad = softmax_cross_entropy_grad,
    .sgd_momentum = sgd_momentum,
    .multiply_add = multiply_add,
    .triad = triad,
};

}  // namespace dtbench::DTBENCH_ISA
