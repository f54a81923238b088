// AlexNet in the single-tower form of Krizhevsky, "One weird trick for parallelizing convolutional neural networks"
// (2014), without local response normalisation, as in torchvision (models/alexnet.py; 61,100,840 parameters). The
// two-GPU network of 2012 (60,965,224 parameters, grouped convolutions, 96 first channels) is another one. At image
// sizes other than 224 the classifier reads whatever the last pooling leaves (torchvision pools adaptively to 6 x 6,
// which is the identity at 224).
//
// Weights and biases are drawn as torchvision leaves them: uniform within 1 / sqrt(fan-in).
#pragma once

#include "engine/plan/models/model.h"

namespace dtbench {

ModelFamily alexnet_family();

}  // namespace dtbench
