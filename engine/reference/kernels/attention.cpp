#include <algorithm>
#include <cmath>
#include <vector>

#include "engine/reference/kernels/kernels.h"
#include "engine/reference/kernels/typed_kernel.h"
#include "engine/runtime/dropout_mask.h"

namespace dtbench::reference {

namespace {

/// Sizes of one call, and where things lie: row i of head h of example b.
struct Heads {
  std::size_t batch = 0, sequence = 0, heads = 1, size = 0;
  bool causal = false;

  std::size_t hidden() const { return heads * size; }
  std::size_t output(std::size_t b, std::size_t h, std::size_t i) const {
    return (b * sequence + i) * hidden() + h * size;
  }
  /// `part`: 0 queries, 1 keys, 2 values.
  std::size_t projection(std::size_t part, std::size_t b, std::size_t h, std::size_t i) const {
    return (b * sequence + i) * 3 * hidden() + part * hidden() + h * size;
  }
  std::size_t probabilities(std::size_t b, std::size_t h, std::size_t i) const {
    return ((b * heads + h) * sequence + i) * sequence;
  }
  /// Positions that row i looks at.
  std::size_t seen(std::size_t i) const { return causal ? i + 1 : sequence; }

  template <class Body>
  void for_each_row(const Body& body) const {
    for (std::size_t b = 0; b < batch; ++b)
      for (std::size_t h = 0; h < heads; ++h)
        for (std::size_t i = 0; i < sequence; ++i) body(b, h, i);
  }
};

Heads heads_of(const KernelRequest& request, const Buffer& qkv) {
  const auto heads = static_cast<std::size_t>(request.op.attributes.at("heads"));
  return {static_cast<std::size_t>(qkv.shape[0]), static_cast<std::size_t>(qkv.shape[1]), heads,
          static_cast<std::size_t>(qkv.shape[2]) / 3 / heads, request.op.attributes.at("causal") != 0};
}

/// What dropout multiplies the probabilities of one example by; 1 without it.
class ProbabilityDropout {
 public:
  explicit ProbabilityDropout(const KernelRequest& request)
      : rate_(attribute(request, "rate", 0)),
        salt_(static_cast<std::uint64_t>(attribute(request, "salt", 0))),
        first_example_(request.first_example),
        scalars_(request.scalars) {
    DTBENCH_CHECK(rate_ == 0 || scalars_ != nullptr);
  }
  double factor(std::int64_t step, std::size_t example, std::size_t element) const {
    if (rate_ == 0) return 1;
    const DropoutKey key =
        dropout_key(scalars_->seed, step, first_example_ + static_cast<std::int64_t>(example), salt_);
    const bool keep = dropout_bits(key, static_cast<std::uint32_t>(element)) >= dropout_threshold(rate_);
    return keep ? 1 / (1 - rate_) : 0;
  }

 private:
  double rate_;
  std::uint64_t salt_;
  std::int64_t first_example_;
  const StepScalars* scalars_;
};

template <class A, class B>
Wide<std::remove_const_t<A>> dot(std::span<A> a, std::size_t first_a, std::span<B> b, std::size_t first_b,
                                 std::size_t count) {
  Wide<std::remove_const_t<A>> sum = 0;
  for (std::size_t d = 0; d < count; ++d) sum += a[first_a + d] * b[first_b + d];
  return sum;
}

template <class Real>
void softmax(std::span<Real> values) {
  const Real largest = *std::ranges::max_element(values);
  Real sum = 0;
  for (Real& value : values) sum += value = std::exp(value - largest);
  for (Real& value : values) value /= sum;
}

}  // namespace

std::unique_ptr<Kernel> make_attention(const KernelRequest& request) {
  return storage_kernel(request, [&]<class Real>(Real) {
    using Sum = Wide<Real>;
    return [qkv = input<Real>(request, 0), y = output<Real>(request, 0), p = output<Real>(request, 1),
            at = heads_of(request, request.inputs.at(0)), dropout = ProbabilityDropout(request)](std::int64_t step) {
      const Sum scale = 1 / std::sqrt(static_cast<Sum>(at.size));
      std::vector<Sum> row(at.sequence), sums(at.size);
      at.for_each_row([&](std::size_t b, std::size_t h, std::size_t i) {
        const std::size_t seen = at.seen(i);
        for (std::size_t j = 0; j < seen; ++j)
          row[j] = scale * dot(qkv, at.projection(0, b, h, i), qkv, at.projection(1, b, h, j), at.size);
        softmax(std::span(row).first(seen));
        for (std::size_t j = 0; j < at.sequence; ++j) p[at.probabilities(b, h, i) + j] = j < seen ? row[j] : Sum(0);
        std::ranges::fill(sums, Sum(0));
        for (std::size_t j = 0; j < seen; ++j) {
          const std::size_t first = at.probabilities(b, h, i), of_example = first - at.probabilities(b, 0, 0);
          const Real weight = p[first + j] * static_cast<Sum>(dropout.factor(step, b, of_example + j));
          for (std::size_t d = 0; d < at.size; ++d) sums[d] += weight * qkv[at.projection(2, b, h, j) + d];
        }
        for (std::size_t d = 0; d < at.size; ++d) y[at.output(b, h, i) + d] = sums[d];
      });
    };
  });
}

std::unique_ptr<Kernel> make_attention_grad(const KernelRequest& request) {
  return storage_kernel(request, [&]<class Real>(Real) {
    using Sum = Wide<Real>;
    return [dy = input<Real>(request, 0), qkv = input<Real>(request, 1), p = input<Real>(request, 2),
            dqkv = output<Real>(request, 0), at = heads_of(request, request.inputs.at(1)),
            dropout = ProbabilityDropout(request)](std::int64_t step) {
      const Sum scale = 1 / std::sqrt(static_cast<Sum>(at.size));
      std::vector<Sum> ds(at.sequence), factor(at.sequence), sums(dqkv.size());
      at.for_each_row([&](std::size_t b, std::size_t h, std::size_t i) {
        const std::size_t row = at.probabilities(b, h, i), out = at.output(b, h, i);
        Sum weighted = 0;
        for (std::size_t j = 0; j < at.sequence; ++j) {
          factor[j] = static_cast<Sum>(dropout.factor(step, b, row - at.probabilities(b, 0, 0) + j));
          ds[j] = factor[j] * dot(dy, out, qkv, at.projection(2, b, h, j), at.size);
          weighted += ds[j] * p[row + j];
        }
        for (std::size_t j = 0; j < at.sequence; ++j) {
          const Sum change = scale * p[row + j] * (ds[j] - weighted);
          const Real weight = p[row + j] * factor[j];
          const std::size_t q = at.projection(0, b, h, i), k = at.projection(1, b, h, j), v = at.projection(2, b, h, j);
          for (std::size_t d = 0; d < at.size; ++d) {
            sums[q + d] += change * qkv[k + d];
            sums[k + d] += change * qkv[q + d];
            sums[v + d] += weight * dy[out + d];
          }
        }
      });
      for (std::size_t i = 0; i < dqkv.size(); ++i) dqkv[i] = sums[i];
    };
  });
}

}  // namespace dtbench::reference
