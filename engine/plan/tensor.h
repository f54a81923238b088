// Tensors, described: shape, storage type, role, sharding. No memory behind them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace dtbench {

enum class DType { float32, float64, bfloat16, float16, int32 };
std::string_view name_of(DType dtype);
std::int64_t bytes_of(DType dtype);

using Shape = std::vector<std::int64_t>;         ///< row-major; dimension 0 of activations is the batch of one replica
std::int64_t element_count(const Shape& shape);  ///< overflow is a bad-input error

std::string text_of(const Shape& shape);  ///< "[256,784]"

using TensorId = int;
inline constexpr TensorId kNoTensor = -1;

/// `state` is what a model keeps from step to step without training it (running statistics).
/// `weight_copy` is a parameter stored as another type for the step (engine/plan/precision.h).
enum class TensorRole { input, label, parameter, activation, gradient, optimizer_state, loss, state, weight_copy };
std::string_view name_of(TensorRole role);

/// Mesh axis over which each dimension is cut; "" = not cut. Empty vector = replicated.
using Sharding = std::vector<std::string>;

/// A sparse gradient: at most `max` rows of dimension 0 are present, `expected` on average (embeddings).
struct Rows {
  std::int64_t max = 0;
  double expected = 0;
  bool operator==(const Rows&) const = default;
};

/// How the values of a parameter are drawn before training. The model says it, since only the model knows which
/// publication it follows. The deviation is that of the law before truncation.
struct Initial {
  enum class Law { normal, truncated_normal, uniform };  ///< truncated: drawn again beyond 2 deviations of the mean
  double mean = 0, deviation = 0;
  Law law = Law::normal;
  bool operator==(const Initial&) const = default;
};

/// Place inside another tensor, e.g. a gradient inside its bucket.
struct View {
  TensorId base = kNoTensor;
  std::int64_t first_element = 0;
  bool operator==(const View&) const = default;
};

struct Tensor {
  std::string name;
  Shape shape;
  DType dtype = DType::float32;
  TensorRole role = TensorRole::activation;
  Sharding sharding;
  std::optional<Rows> rows;  ///< absent = dense
  std::optional<View> view;  ///< absent = owns its memory
  Initial initial = {};      ///< of parameters
  std::int64_t elements() const { return element_count(shape); }
  std::int64_t bytes() const { return elements() * bytes_of(dtype); }
  bool operator==(const Tensor&) const = default;
};

}  // namespace dtbench
