// GPT-2 (Radford et al.: Language Models are Unsupervised Multitask Learners, 2019) as in openai/gpt-2 and Hugging
// Face's modeling_gpt2: layer norm before each block (epsilon 1e-5) and once at the end, learned positions, gelu in its
// tanh form, output tied to the token table, dropout of 10 % (of attention probabilities too). The loss is over all
// tokens of a sequence. Weights are drawn normal with deviation 0.02, those that write to the residual stream divided by
// sqrt(2 x layers) (section 2.3 of the paper).
#pragma once

#include "engine/plan/models/model.h"

namespace dtbench {

ModelFamily gpt_family();

}  // namespace dtbench
