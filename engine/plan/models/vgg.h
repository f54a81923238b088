// VGG (Simonyan, Zisserman: Very Deep Convolutional Networks for Large-Scale Image Recognition, 2014), configurations
// A, B, D and E without batch norm, as in torchvision (models/vgg.py): 3x3 convolutions with bias, dropout of 50 % in
// the classifier. At image sizes other than 224 the classifier reads whatever the last pooling leaves (torchvision
// pools adaptively to 7 x 7, which is the identity at 224).
//
// Weights are drawn as torchvision does: convolutions normal with variance 2 / fan-out, dense layers normal with
// deviation 0.01, biases 0.
#pragma once

#include "engine/plan/models/model.h"

namespace dtbench {

ModelFamily vgg_family();

}  // namespace dtbench
