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
    .gelu = Activation<T>::gelu,
    .gelu_grad = Activation<T>::gelu_grad,
    .gelu_tanh = Activation<T>::gelu_tanh,
    .gelu_tanh_grad = Activation<T>::gelu_tanh_grad,
    .tanh = Activation<T>::tanh,
    .tanh_grad = Activation<T>::tanh_grad,
    .dropout = Activation<T>::dropout,
    .layer_norm = Normalisation<T>::layer_norm,
    .layer_norm_grad = Normalisation<T>::layer_norm_grad,
    .attention_softmax = AttentionSoftmax<T>::forward,
    .attention_softmax_grad = AttentionSoftmax<T>::backward,
    .sum_rows = ChosenRows<T>::sum,
    .moments = BatchNorm<T>::moments,
    .gradient_moments = BatchNorm<T>::gradient_moments,
    .normalise = BatchNorm<T>::normalise,
    .normalise_grad = BatchNorm<T>::gradient,
    .max_pool = Pooling<T>::largest,
    .average_pool = Pooling<T>::average,
    .max_pool_grad = Pooling<T>::largest_gradient,
    .average_pool_grad = Pooling<T>::average_gradient,
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
    .all_finite = all_finite,
    .multiply_add = multiply_add,
    .triad = triad,
};

}  // namespace dtbench::DTBENCH_ISA
