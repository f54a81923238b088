// Head by head: the products of one head follow each other while its square of scores is in the cache, heads are dealt
// out to the team. q, k and v are read where they lie in the projections, without copies; types that oneDNN does not
// multiply on this machine are widened to float32 first, a head at a time.
#include <cmath>
#include <type_traits>
#include <vector>

#include "engine/cpu/kernels/arrays.h"
#include "engine/cpu/kernels/kernels.h"
#include "engine/cpu/kernels/step_mask.h"
#include "engine/cpu/onednn_strided_matmul.h"
#include "engine/cpu/onednn_support.h"

namespace dtbench::cpu {

namespace {

struct Heads {
  std::int64_t batch = 0, sequence = 0, heads = 1, size = 0;
  bool causal = false;

  Heads(const KernelRequest& request, const Buffer& qkv)
      : batch(qkv.shape.at(0)),
        sequence(qkv.shape.at(1)),
        heads(static_cast<std::int64_t>(request.op.attributes.at("heads"))),
        size(qkv.shape.at(2) / 3 / heads),
        causal(request.op.attributes.at("causal") != 0) {}

  std::int64_t hidden() const { return heads * size; }
  std::int64_t count() const { return batch * heads; }
  std::int64_t square() const { return sequence * sequence; }
  /// First element of a head's queries, keys (part 1) or values (2), and of its output.
  std::int64_t projection(std::int64_t head, std::int64_t part) const {
    return (head / heads * sequence * 3 + part) * hidden() + head % heads * size;
  }
  std::int64_t output(std::int64_t head) const { return head / heads * sequence * hidden() + head % heads * size; }
  AttentionRows rows() const {
    return {0, sequence, sequence, static_cast<float>(1 / std::sqrt(static_cast<double>(size))), causal};
  }
};

// Templates over the storage type T and the type F of the factors that oneDNN multiplies: T itself, or float.
template <class T, class F>
inline constexpr bool kWidened = !std::is_same_v<T, F>;

/// A head's rows [sequence, size], widened into memory of its own where oneDNN cannot read them.
template <class T, class F>
class Rows {
 public:
  Rows(const Heads& heads, std::int64_t stride)
      : sequence_(heads.sequence),
        size_(heads.size),
        stride_(stride),
        wide_(kWidened<T, F> ? static_cast<std::size_t>(sequence_ * size_) : 0) {}

  StridedMatrix shape(bool transposed) const {
    const std::int64_t stride = kWidened<T, F> ? size_ : stride_;
    return {transposed ? size_ : sequence_, transposed ? sequence_ : size_, stride, transposed, dtype_of<F>};
  }
  const F* read(const T* rows) {
    if constexpr (kWidened<T, F>) {
      for (std::int64_t i = 0; i < sequence_; ++i)
        loops().of<T>().to_float(rows + i * stride_, wide_.data() + i * size_, size_);
      return wide_.data();
    } else {
      return rows;
    }
  }
  /// Where a product shall write; `written` brings it to the rows.
  F* place(T* rows) {
    if constexpr (kWidened<T, F>)
      return wide_.data();
    else
      return rows;
  }
  void written(T* rows) {
    if constexpr (kWidened<T, F>)
      for (std::int64_t i = 0; i < sequence_; ++i)
        loops().of<T>().from_float(wide_.data() + i * size_, rows + i * stride_, size_);
  }

 private:
  std::int64_t sequence_, size_, stride_;
  std::vector<F> wide_;
};

StridedMatrix square(std::int64_t sequence, bool transposed, DType dtype) {
  return {sequence, sequence, sequence, transposed, dtype};
}

/// The probabilities of a head as factors of a product: through dropout, and widened, where need be.
template <class T, class F>
class Weights {
 public:
  Weights(const Heads& heads, const StepMask& mask)
      : count_(heads.square()),
        mask_(mask),
        dropped_(mask.drops() ? static_cast<std::size_t>(count_) : 0),
        wide_(kWidened<T, F> ? static_cast<std::size_t>(count_) : 0) {}

  const StepMask& mask() const { return mask_; }
  const F* read(std::int64_t head, const T* p, std::int64_t step) {
    if (mask_.drops()) {
      loops().of<T>().dropout(p, dropped_.data(), count_, mask_.at(head * count_, step));
      p = dropped_.data();
    }
    return widened(p);
  }
  const F* widened(const T* p) {
    if constexpr (kWidened<T, F>) {
      loops().of<T>().to_float(p, wide_.data(), count_);
      return wide_.data();
    } else {
      return p;
    }
  }

 private:
  std::int64_t count_;
  StepMask mask_;
  std::vector<T> dropped_;
  std::vector<float> wide_;
};

/// What one member of the team needs for a head.
template <class T, class F>
class ForwardHead {
 public:
  ForwardHead(const Heads& heads, const StepMask& mask)
      : heads_(heads),
        q_(heads, 3 * heads.hidden()),
        k_(heads, 3 * heads.hidden()),
        v_(heads, 3 * heads.hidden()),
        y_(heads, heads.hidden()),
        scores_(std::is_same_v<T, float> ? 0 : static_cast<std::size_t>(heads.square())),
        weights_(heads, mask),
        score_(q_.shape(false), k_.shape(true), square(heads.sequence, false, DType::float32)),
        weigh_(square(heads.sequence, false, dtype_of<F>), v_.shape(false), y_.shape(false)) {}

  void run(std::int64_t head, std::int64_t step, const T* qkv, T* y, T* p) {
    p += head * heads_.square();
    y += heads_.output(head);
    float* scores = scores_.data();
    if constexpr (std::is_same_v<T, float>) scores = p;
    score_.run(q_.read(qkv + heads_.projection(head, 0)), k_.read(qkv + heads_.projection(head, 1)), scores);
    loops().of<T>().attention_softmax(scores, p, heads_.rows());
    weigh_.run(weights_.read(head, p, step), v_.read(qkv + heads_.projection(head, 2)), y_.place(y));
    y_.written(y);
  }

 private:
  Heads heads_;
  Rows<T, F> q_, k_, v_, y_;
  std::vector<float> scores_;
  Weights<T, F> weights_;
  OnednnStridedMatmul score_, weigh_;
};

template <class T, class F>
class BackwardHead {
 public:
  BackwardHead(const Heads& heads, const StepMask& mask)
      : heads_(heads),
        q_(heads, 3 * heads.hidden()),
        k_(heads, 3 * heads.hidden()),
        v_(heads, 3 * heads.hidden()),
        dy_(heads, heads.hidden()),
        gradient_(heads, 3 * heads.hidden()),
        dp_(static_cast<std::size_t>(heads.square())),
        kept_dp_(mask.drops() ? dp_.size() : 0),
        ds_(static_cast<std::size_t>(heads.square())),
        weights_(heads, mask),
        to_dp_(dy_.shape(false), v_.shape(true), square(heads.sequence, false, DType::float32)),
        transposed_times_rows_(square(heads.sequence, true, dtype_of<F>), dy_.shape(false), gradient_.shape(false)),
        times_keys_(square(heads.sequence, false, dtype_of<F>), k_.shape(false), gradient_.shape(false)),
        transposed_times_queries_(square(heads.sequence, true, dtype_of<F>), q_.shape(false), gradient_.shape(false)) {}

  void run(std::int64_t head, std::int64_t step, const T* dy, const T* qkv, const T* p, T* dqkv) {
    p += head * heads_.square();
    const F* dy_rows = dy_.read(dy + heads_.output(head));
    write(transposed_times_rows_, weights_.read(head, p, step), dy_rows, dqkv + heads_.projection(head, 2));
    to_dp_.run(dy_rows, v_.read(qkv + heads_.projection(head, 2)), dp_.data());
    loops().of<F>().attention_softmax_grad(weights_.widened(p), gradient_of_probabilities(head, step), ds_.data(),
                                           heads_.rows());
    write(times_keys_, ds_.data(), k_.read(qkv + heads_.projection(head, 1)), dqkv + heads_.projection(head, 0));
    write(transposed_times_queries_, ds_.data(), q_.read(qkv + heads_.projection(head, 0)),
          dqkv + heads_.projection(head, 1));
  }

 private:
  void write(OnednnStridedMatmul& product, const F* a, const F* b, T* rows) {
    product.run(a, b, gradient_.place(rows));
    gradient_.written(rows);
  }
  /// What dropout lets through of it.
  const float* gradient_of_probabilities(std::int64_t head, std::int64_t step) {
    const StepMask& mask = weights_.mask();
    if (!mask.drops()) return dp_.data();
    const std::int64_t count = heads_.square();
    loops().of<float>().dropout(dp_.data(), kept_dp_.data(), count, mask.at(head * count, step));
    return kept_dp_.data();
  }

  Heads heads_;
  Rows<T, F> q_, k_, v_, dy_, gradient_;
  std::vector<float> dp_, kept_dp_;
  std::vector<F> ds_;
  Weights<T, F> weights_;
  OnednnStridedMatmul to_dp_, transposed_times_rows_, times_keys_, transposed_times_queries_;
};

/// One `Head` for each member; none where there is nothing to do.
template <class Head>
std::vector<Head> heads_of_members(const CoreTeam& team, const Heads& heads, const KernelRequest& request) {
  std::vector<Head> all;
  const StepMask mask(request, heads.heads * heads.square());
  for (int member = 0; heads.count() > 0 && member < team.size(); ++member) all.emplace_back(heads, mask);
  return all;
}

template <class T, class F>
std::unique_ptr<Kernel> attention_forward(const KernelRequest& request, const CoreTeam& team) {
  const Heads heads(request, request.inputs.at(0));
  return make_kernel([&team, count = heads.count(), members = heads_of_members<ForwardHead<T, F>>(team, heads, request),
                      qkv = input<T>(request, 0), y = output<T>(request, 0),
                      p = output<T>(request, 1)](std::int64_t step) mutable {
    team.split(count, 1, [&](const Piece& piece) {
      for (std::int64_t head = piece.first; head < piece.last; ++head)
        members[static_cast<std::size_t>(piece.member)].run(head, step, qkv, y, p);
    });
  });
}

template <class T, class F>
std::unique_ptr<Kernel> attention_backward(const KernelRequest& request, const CoreTeam& team) {
  const Heads heads(request, request.inputs.at(1));
  return make_kernel([&team, count = heads.count(),
                      members = heads_of_members<BackwardHead<T, F>>(team, heads, request), dy = input<T>(request, 0),
                      qkv = input<T>(request, 1), p = input<T>(request, 2),
                      dqkv = output<T>(request, 0)](std::int64_t step) mutable {
    team.split(count, 1, [&](const Piece& piece) {
      for (std::int64_t head = piece.first; head < piece.last; ++head)
        members[static_cast<std::size_t>(piece.member)].run(head, step, dy, qkv, p, dqkv);
    });
  });
}

}  // namespace

std::unique_ptr<Kernel> make_attention(const KernelRequest& request, const CoreTeam& team) {
  return visit_dtype<float, Bfloat16, Float16>(request.outputs.at(0).dtype, request.op.name, [&]<class T>(T) {
    return onednn_computes(dtype_of<T>) ? attention_forward<T, T>(request, team)
                                        : attention_forward<T, float>(request, team);
  });
}

std::unique_ptr<Kernel> make_attention_grad(const KernelRequest& request, const CoreTeam& team) {
  return visit_dtype<float, Bfloat16, Float16>(request.outputs.at(0).dtype, request.op.name, [&]<class T>(T) {
    return onednn_computes(dtype_of<T>) ? attention_backward<T, T>(request, team)
                                        : attention_backward<T, float>(request, team);
  });
}

}  // namespace dtbench::cpu
