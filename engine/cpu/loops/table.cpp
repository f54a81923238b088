#include "engine/cpu/loops/isa_loops.h"

namespace dtbench::DTBENCH_ISA {

extern const Loops kLoops;

namespace {

template <class T>
constexpr StorageLoops<T> kStorageLoops = {
    .add = Elementwise<T>::add,
    .relu = Elementwise<T>::relu,
    .relu_grad = Elementwise<T>::relu_grad,
    .bias = Bias<T>::add,
    .bias_grad = Bias<T>::gradient,
    .to_float = Elementwise<T>::to_float,
    .from_float = Elementwise<T>::from_float,
};

}  // namespace

// Constant-initialised: code of this level must not run at start-up.
constinit const Loops kLoops = {
    .float32 = kStorageLoops<float>,
    .bfloat16 = kStorageLoops<Bfloat16>,
    .float16 = kStorageLoops<Float16>,
    .softmax_cross_entropy = softmax_cross_entropy,
    .softmax_cross_entropy_grad = softmax_cross_entropy_grad,
    .sgd_momentum = sgd_momentum,
    .multiply_add = multiply_add,
    .triad = triad,
};

}  // namespace dtbench::DTBENCH_ISA
