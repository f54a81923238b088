// BERT (Devlin, Chang, Lee, Toutanova: BERT: Pre-training of Deep Bidirectional Transformers, 2018) with both heads of
// pre-training, as in google-research/bert (modeling.py, run_pretraining.py): layer norm after each block (epsilon
// 1e-12), gelu by erf, decoder tied to the token table, dropout of 10 % (of attention
// probabilities too). The masked-token head sees `predictions`
// positions a sequence: 20 at 128 tokens and 80 at 512 (run_pretraining's recipes), otherwise 15 % of the tokens.
//
// Left out: the attention mask (sequences are full).
// Weights are drawn normal with deviation 0.02, truncated at two deviations (create_initializer).
#pragma once

#include "engine/plan/models/model.h"

namespace dtbench {

ModelFamily bert_family();

}  // namespace dtbench
