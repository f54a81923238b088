// Residual networks (He, Zhang, Ren, Sun: Deep Residual Learning for Image Recognition, 2015) in the form that
// torchvision trains ("v1.5": the stride of a bottleneck stands in its 3x3 convolution, as in NVIDIA's and MLPerf's
// ResNet-50), 224 x 224 images. Depth 8 is the small one for images of 28 to 32 pixels: the paper's CIFAR networks
// (section 4.2: 3x3 stem, stages of 16, 32 and 64 channels; width 16) with one block a stage, and projections where the
// paper pads with zeros.
//
// Weights are drawn as torchvision does (models/resnet.py): convolutions normal with variance 2 / fan-out, batch norm
// 1 and 0 (its zero_init_residual is off), the last layer uniform within 1 / sqrt(fan-in).
#pragma once

#include "engine/plan/models/model.h"

namespace dtbench {

ModelFamily resnet_family();

}  // namespace dtbench
