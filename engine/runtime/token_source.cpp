#include "engine/runtime/token_source.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string_view>

#include "engine/plan/models/input_names.h"
#include "engine/runtime/counter_random.h"
#include "engine/runtime/input_source.h"
#include "topologies/base/error.h"

namespace dtbench {
namespace {

constexpr std::uint64_t kSuccessors = 11, kStep = 12, kFollows = 13, kMask = 14, kFirst = 15;
constexpr double kFollowShare = 0.75, kMaskShare = 0.8, kRandomShare = 0.1;
constexpr std::string_view kKnown[] = {kTokens,       kNextTokens,    kSegments, kMaskedPositions,
                                       kMaskedTokens, kClassPosition, kIsNext};

/// Rows of the table that the tokens choose from.
std::int64_t vocabulary_of(const RankClass& cls) {
  for (const PlanOp& op : cls.ops) {
    if (op.kind != "embedding") continue;
    if (cls.tensors[static_cast<std::size_t>(op.inputs[1])].name == kTokens)
      return cls.tensors[static_cast<std::size_t>(op.inputs[0])].shape[0];
  }
  throw_bad_input({fmt::format("input '{}'", kTokens), "no embedding that reads it", "a table of tokens", ""});
}

class TokenSource {
 public:
  TokenSource(std::uint64_t seed, std::int64_t vocabulary, std::int64_t batch)
      : seed_(seed), mask_(static_cast<std::int32_t>(vocabulary - 1)), batch_(batch), stream_(seed, vocabulary - 1) {}

  void fill(int replica, std::int64_t step, std::span<InputField> fields) const {
    const std::uint64_t of_step = mix(mix(seed_, kStep), static_cast<std::uint64_t>(step));
    std::ranges::fill(integers_of(fields, kClassPosition), 0);
    for (std::int64_t e = 0; e < batch_; ++e) {
      const std::uint64_t key = mix(of_step, static_cast<std::uint64_t>(replica * batch_ + e));
      const auto field = [&](std::string_view name) { return part_of_example(integers_of(fields, name), e, batch_); };
      fill_sequence(key, field(kTokens), field(kNextTokens), field(kSegments), field(kIsNext));
      mask(key, field(kTokens), field(kMaskedPositions), field(kMaskedTokens));
    }
  }

 private:
  using Values = std::span<std::int32_t>;

  void fill_sequence(std::uint64_t key, Values tokens, Values next_tokens, Values segments, Values is_next) const {
    const std::size_t half = tokens.size() / 2;
    const bool jumps = !is_next.empty() && mix(key, kFollows) % 2 == 1;
    std::int32_t token = stream_.first(key);
    for (std::size_t i = 0; i < tokens.size(); ++i) {
      tokens[i] = token;
      const bool anew = jumps && i + 1 == half;
      token = anew ? stream_.first(mix(key, kFollows)) : stream_.next(key, static_cast<std::int64_t>(i), token);
      if (!next_tokens.empty()) next_tokens[i] = token;
      if (!segments.empty()) segments[i] = i < half ? 0 : 1;
    }
    if (!is_next.empty()) is_next[0] = jumps ? 1 : 0;
  }

  // One position in each of as many equal parts of the sequence as there are predictions: never one twice.
  void mask(std::uint64_t key, Values tokens, Values positions, Values masked) const {
    for (std::size_t p = 0; p < positions.size(); ++p) {
      const std::size_t begin = p * tokens.size() / positions.size(), end = (p + 1) * tokens.size() / positions.size();
      const std::uint64_t bits = mix(mix(key, kMask), p);
      const std::size_t at = begin + bits % (end - begin);
      positions[p] = static_cast<std::int32_t>(at);
      masked[p] = tokens[at];
      tokens[at] = replacement(mix(bits, kMask), tokens[at]);
    }
  }

  std::int32_t replacement(std::uint64_t bits, std::int32_t token) const {
    const double choice = uniform(bits);
    if (choice < kMaskShare) return mask_;
    return choice < kMaskShare + kRandomShare ? stream_.first(bits) : token;
  }

  std::uint64_t seed_;
  std::int32_t mask_;
  std::int64_t batch_;
  TokenStream stream_;
};

}  // namespace

TokenStream::TokenStream(std::uint64_t seed, std::int64_t vocabulary)
    : successors_(mix(seed, kSuccessors)),
      vocabulary_(vocabulary),
      log_vocabulary_(std::log(static_cast<double>(vocabulary))) {
  DTBENCH_CHECK(vocabulary >= 1);
}

std::int32_t TokenStream::draw(std::uint64_t bits) const {
  const auto rank = static_cast<std::int64_t>(std::exp(uniform(bits) * log_vocabulary_)) - 1;
  return static_cast<std::int32_t>(std::clamp<std::int64_t>(rank, 0, vocabulary_ - 1));
}

std::int32_t TokenStream::first(std::uint64_t key) const { return draw(mix(key, kFirst)); }

std::int32_t TokenStream::next(std::uint64_t key, std::int64_t at, std::int32_t previous) const {
  const std::uint64_t bits = mix(key, kFirst + 1 + static_cast<std::uint64_t>(at));
  if (uniform(bits) < kFollowShare) return draw(mix(successors_, static_cast<std::uint64_t>(previous)));
  return draw(mix(bits, kFirst));
}

bool reads_tokens(const StepPlan& plan) {
  const PlanOp* op = find_input_op(plan.classes.front());
  if (op == nullptr) return false;
  return std::ranges::any_of(op->outputs, [&](TensorId t) {
    return plan.classes.front().tensors[static_cast<std::size_t>(t)].name == kTokens;
  });
}

InputFill generated_tokens(const StepPlan& plan, std::uint64_t seed) {
  const RankClass& cls = plan.classes.front();
  for (const TensorId output : find_input_op(cls)->outputs) {
    const std::string& name = cls.tensors[static_cast<std::size_t>(output)].name;
    if (std::ranges::find(kKnown, name) == std::end(kKnown))
      throw_bad_input({fmt::format("model '{}'", plan.model), fmt::format("input '{}'", name),
                       "an input that generated data has", ""});
  }
  const TokenSource source(seed, vocabulary_of(cls), plan.batch_per_replica);
  return [source](int replica, std::int64_t step, std::span<InputField> fields) { source.fill(replica, step, fields); };
}

}  // namespace dtbench
