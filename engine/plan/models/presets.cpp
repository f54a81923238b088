#include "engine/plan/models/presets.h"

#include <vector>

namespace dtbench {

std::span<const ModelPreset> model_presets() {
  static const std::vector<ModelPreset> kPresets = {
      {"resnet8",
       "resnet",
       "small residual network for images of 28 to 32 pixels (Fashion-MNIST as it stands)",
       128,
       {{"depth", 8}, {"width", 16}, {"image-size", 28}, {"channels", 1}, {"classes", 10}}},
      {"resnet18", "resnet", "ResNet-18, basic blocks", 64, {{"depth", 18}}},
      {"resnet34", "resnet", "ResNet-34, basic blocks", 64, {{"depth", 34}}},
      {"resnet50", "resnet", "ResNet-50 v1.5, bottleneck blocks", 64, {{"depth", 50}}},
      {"resnet101", "resnet", "ResNet-101 v1.5", 64, {{"depth", 101}}},
      {"resnet152", "resnet", "ResNet-152 v1.5", 32, {{"depth", 152}}},
      {"vgg16", "vgg", "VGG-16 (configuration D), without batch norm", 32, {{"depth", 16}}},
      {"bert_mini",
       "bert",
       "BERT mini (Turc et al. 2019): 4 layers of 256",
       16,
       {{"layers", 4}, {"hidden", 256}, {"heads", 4}}},
      {"bert_base", "bert", "BERT base: 12 layers of 768", 32, {{"layers", 12}, {"hidden", 768}, {"heads", 12}}},
      {"bert_large", "bert", "BERT large: 24 layers of 1024", 16, {{"layers", 24}, {"hidden", 1024}, {"heads", 16}}},
      {"gpt_small",
       "gpt",
       "GPT for a desk: 4 layers of 256 on bytes, 128 at a time",
       16,
       {{"layers", 4}, {"hidden", 256}, {"heads", 4}, {"seq-len", 128}, {"positions", 256}, {"vocab", 256}}},
      {"gpt2_124m", "gpt", "GPT-2 small: 12 layers of 768", 8, {{"layers", 12}, {"hidden", 768}, {"heads", 12}}},
      {"gpt2_355m", "gpt", "GPT-2 medium: 24 layers of 1024", 8, {{"layers", 24}, {"hidden", 1024}, {"heads", 16}}},
      {"gpt2_774m", "gpt", "GPT-2 large: 36 layers of 1280", 4, {{"layers", 36}, {"hidden", 1280}, {"heads", 20}}},
      {"gpt2_1.5b", "gpt", "GPT-2 XL: 48 layers of 1600", 2, {{"layers", 48}, {"hidden", 1600}, {"heads", 25}}},
  };
  return kPresets;
}

}  // namespace dtbench
