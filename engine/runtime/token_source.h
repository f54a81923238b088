// Generated batches of sequence models: tokens with structure, so that a loss can fall, and everything that BERT and
// GPT read besides (engine/plan/models/input_names.h).
//
// Tokens: log-uniform over the vocabulary, close to Zipf's law of words, and three times in four a fixed successor of
// the token before. A masked token is replaced as in BERT's pre-training: by the mask (the vocabulary's last entry) in
// 8 of 10 cases, by a random token in 1, by itself in 1. The second half of a sequence goes on from the first (is_next
// 0) or starts anew (1). Everything is a function of (seed, step, number of the example in the global batch), so N
// replicas see what one sees.
#pragma once

#include <cstdint>

#include "engine/plan/step_plan.h"
#include "engine/runtime/engine_session.h"

namespace dtbench {

class TokenStream {
 public:
  TokenStream(std::uint64_t seed, std::int64_t vocabulary);
  std::int32_t first(std::uint64_t key) const;
  /// The token at position `at` of the example `key` after `previous`.
  std::int32_t next(std::uint64_t key, std::int64_t at, std::int32_t previous) const;

 private:
  std::int32_t draw(std::uint64_t bits) const;
  std::uint64_t successors_;
  std::int64_t vocabulary_;
  double log_vocabulary_;
};

/// Whether the plan's input op writes a tensor of this name.
bool reads_tokens(const StepPlan& plan);
/// Generated input for a plan whose input op writes `tokens`. Bad-input error when it writes a tensor that this does
/// not know.
InputFill generated_tokens(const StepPlan& plan, std::uint64_t seed);

}  // namespace dtbench
