#include <algorithm>
#include <cmath>
#include <vector>

#include "engine/cpu/kernels/arrays.h"
#include "engine/cpu/kernels/kernels.h"
#include "engine/runtime/batch_moments.h"

namespace dtbench::cpu {

namespace {

/// A kernel of the storage type of inputs[0]; parameters are float and statistics double whatever it is.
template <class Make>
std::unique_ptr<Kernel> input_kernel(const KernelRequest& request, const Make& make) {
  const auto made = [&](auto real) { return make_kernel(make(real)); };
  return visit_dtype<float, Bfloat16, Float16>(request.inputs.at(0).dtype, request.op.name, made);
}

/// Rows of few channels are joined to longer ones, so that loops over a row fill whole vectors: `copies` pixels a row.
struct FoldedRows {
  RowShape shape;
  std::int64_t channels = 0, copies = 1;

  explicit FoldedRows(RowShape rows) : shape(rows), channels(rows.columns) {
    constexpr std::int64_t kFull = 64;
    for (copies = std::max<std::int64_t>(1, kFull / std::max<std::int64_t>(1, channels)); rows.rows % copies != 0;)
      --copies;
    shape = {rows.rows / copies, channels * copies};
  }
};

std::size_t size_of(std::int64_t count) { return static_cast<std::size_t>(count); }

/// A float for each channel, repeated for each pixel of a folded row.
class ChannelValues {
 public:
  explicit ChannelValues(const FoldedRows& rows)
      : channels_(size_of(rows.channels)), values_(size_of(rows.shape.columns)) {}
  template <class ValueOf>
  void set(const ValueOf& value_of) {
    for (std::size_t c = 0; c < channels_; ++c) values_[c] = static_cast<float>(value_of(c));
    for (std::size_t i = channels_; i < values_.size(); ++i) values_[i] = values_[i - channels_];
  }
  const float* data() const { return values_.data(); }

 private:
  std::size_t channels_;
  std::vector<float> values_;
};

/// Two sums for each column of a folded row, formed by each member of the team for its rows, then added up in the order
/// of the members.
class TeamSums {
 public:
  TeamSums(const FoldedRows& rows, const CoreTeam& team)
      : rows_(rows), team_(team), sums_(size_of(2 * rows.shape.columns * team.size())) {}

  /// add(first row, sums, shape) adds the rows' sums to sums[0..2 columns).
  template <class Add>
  void form(const Add& add) {
    std::ranges::fill(sums_, 0.0);
    team_.split(rows_.shape.rows, row_grain(rows_.shape), [&](const Piece& piece) {
      add(piece.first * rows_.shape.columns, sums_.data() + piece.member * 2 * rows_.shape.columns,
          RowShape{piece.last - piece.first, rows_.shape.columns});
    });
  }
  /// Of a channel; `which` 0 or 1.
  double of(std::size_t channel, std::size_t which) const {
    double sum = 0;
    const std::size_t columns = size_of(rows_.shape.columns);
    for (std::size_t part = which * columns; part < sums_.size(); part += 2 * columns)
      for (std::size_t i = channel; i < columns; i += size_of(rows_.channels)) sum += sums_[part + i];
    return sum;
  }

 private:
  FoldedRows rows_;
  const CoreTeam& team_;
  std::vector<double> sums_;
};

BatchMoments moments(const KernelRequest& request, std::size_t index) {
  const auto count = static_cast<std::size_t>(request.inputs.at(index).elements());
  return BatchMoments({input<double>(request, index), count}, attribute(request, "epsilon", 0));
}

/// y = (x - shift) * scale + offset, by the team.
template <class T>
class Normaliser {
 public:
  Normaliser(const T* x, T* y, const FoldedRows& rows, const CoreTeam& team)
      : shift(rows), scale(rows), offset(rows), x_(x), y_(y), shape_(rows.shape), team_(team) {}

  ChannelValues shift, scale, offset;

  void run() const {
    const ChannelScales channels = {shift.data(), scale.data(), offset.data()};
    team_.split(shape_.rows, row_grain(shape_), [&](const Piece& piece) {
      const std::int64_t first = piece.first * shape_.columns;
      loops().of<T>().normalise(x_ + first, y_ + first, {piece.last - piece.first, shape_.columns}, channels);
    });
  }

 private:
  const T* x_;
  T* y_;
  RowShape shape_;
  const CoreTeam& team_;
};

}  // namespace

std::unique_ptr<Kernel> make_batch_norm_statistics(const KernelRequest& request, const CoreTeam& team) {
  return input_kernel(request, [&]<class T>(T) {
    const RowShape shape = row_shape(request.inputs.at(0));
    const FoldedRows rows(shape);
    return [x = input<T>(request, 0), statistics = output<double>(request, 0), shape,
            sums = TeamSums(rows, team)]() mutable {
      sums.form(
          [x](std::int64_t first, double* target, RowShape part) { loops().of<T>().moments(x + first, target, part); });
      const auto channels = size_of(shape.columns);
      for (std::size_t c = 0; c < channels; ++c) {
        statistics[c] = sums.of(c, 0);
        statistics[channels + c] = sums.of(c, 1);
      }
      statistics[2 * channels] = static_cast<double>(shape.rows);
    };
  });
}

std::unique_ptr<Kernel> make_batch_norm(const KernelRequest& request, const CoreTeam& team) {
  return input_kernel(request, [&]<class T>(T) {
    const FoldedRows rows(row_shape(request.inputs.at(0)));
    return [norm = Normaliser<T>(input<T>(request, 0), output<T>(request, 0), rows, team), batch = moments(request, 1),
            gamma = input(request, 2), beta = input(request, 3), mean = output(request, 1),
            variance = output(request, 2), momentum = attribute(request, "momentum", 0)]() mutable {
      norm.shift.set([&](std::size_t c) { return batch.mean(c); });
      norm.scale.set([&](std::size_t c) { return gamma[c] * batch.inverse_deviation(c); });
      norm.offset.set([&](std::size_t c) { return beta[c]; });
      norm.run();
      for (std::size_t c = 0; c < batch.channels(); ++c) batch.follow(c, momentum, mean[c], variance[c]);
    };
  });
}

std::unique_ptr<Kernel> make_batch_norm_inference(const KernelRequest& request, const CoreTeam& team) {
  return input_kernel(request, [&]<class T>(T) {
    const FoldedRows rows(row_shape(request.inputs.at(0)));
    return [norm = Normaliser<T>(input<T>(request, 0), output<T>(request, 0), rows, team), gamma = input(request, 1),
            beta = input(request, 2), mean = input(request, 3), variance = input(request, 4),
            epsilon = attribute(request, "epsilon", 0)]() mutable {
      norm.shift.set([&](std::size_t c) { return mean[c]; });
      norm.scale.set([&](std::size_t c) { return gamma[c] / std::sqrt(variance[c] + epsilon); });
      norm.offset.set([&](std::size_t c) { return beta[c]; });
      norm.run();
    };
  });
}

std::unique_ptr<Kernel> make_batch_norm_grad_statistics(const KernelRequest& request, const CoreTeam& team) {
  return input_kernel(request, [&]<class T>(T) {
    const FoldedRows rows(row_shape(request.inputs.at(0)));
    return [dy = input<T>(request, 0), x = input<T>(request, 1), batch = moments(request, 2), both = output(request, 0),
            dgamma = output(request, 1), dbeta = output(request, 2), mean = ChannelValues(rows),
            sums = TeamSums(rows, team)]() mutable {
      mean.set([&](std::size_t c) { return batch.mean(c); });
      sums.form([&](std::int64_t first, double* target, RowShape part) {
        loops().of<T>().gradient_moments(dy + first, x + first, mean.data(), target, part);
      });
      for (std::size_t c = 0; c < batch.channels(); ++c) {
        both[c] = dbeta[c] = static_cast<float>(sums.of(c, 0));
        both[batch.channels() + c] = dgamma[c] = static_cast<float>(sums.of(c, 1) * batch.inverse_deviation(c));
      }
    };
  });
}

std::unique_ptr<Kernel> make_batch_norm_grad_input(const KernelRequest& request, const CoreTeam& team) {
  return input_kernel(request, [&]<class T>(T) {
    const FoldedRows rows(row_shape(request.inputs.at(0)));
    return [&team, dy = input<T>(request, 0), x = input<T>(request, 1), batch = moments(request, 2),
            gamma = input(request, 3), sums = input(request, 4), dx = output<T>(request, 0), shape = rows.shape,
            mean = ChannelValues(rows), of_dy = ChannelValues(rows), of_x = ChannelValues(rows),
            constant = ChannelValues(rows)]() mutable {
      const auto scale = [&](std::size_t c) { return gamma[c] * batch.inverse_deviation(c); };
      const double count = batch.count();
      mean.set([&](std::size_t c) { return batch.mean(c); });
      of_dy.set(scale);
      constant.set([&](std::size_t c) { return scale(c) * sums[c] / count; });
      of_x.set(
          [&](std::size_t c) { return scale(c) * batch.inverse_deviation(c) * sums[batch.channels() + c] / count; });
      const ChannelScales channels = {mean.data(), of_dy.data(), constant.data()};
      team.split(shape.rows, row_grain(shape), [&](const Piece& piece) {
        const std::int64_t first = piece.first * shape.columns;
        loops().of<T>().normalise_grad(dy + first, x + first, dx + first, {piece.last - piece.first, shape.columns},
                                       channels, of_x.data());
      });
    };
  });
}

}  // namespace dtbench::cpu
