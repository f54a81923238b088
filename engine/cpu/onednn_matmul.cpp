#include "engine/cpu/onednn_matmul.h"

#include <fmt/format.h>
#include <omp.h>

#include <algorithm>
#include <oneapi/dnnl/dnnl.hpp>
#include <unordered_map>
#include <vector>

#include "topologies/base/error.h"

namespace dtbench {

namespace {

/// oneDNN cuts a primitive into as many parts as the creating thread's team has members.
class TeamSize {
 public:
  explicit TeamSize(int threads) : before_(omp_get_max_threads()) { omp_set_num_threads(threads); }
  ~TeamSize() { omp_set_num_threads(before_); }
  TeamSize(const TeamSize&) = delete;
  TeamSize& operator=(const TeamSize&) = delete;

 private:
  int before_;
};

dnnl::memory::desc matrix(std::int64_t rows, std::int64_t columns, bool transposed) {
  using Tag = dnnl::memory::format_tag;
  return {{rows, columns}, dnnl::memory::data_type::f32, transposed ? Tag::ba : Tag::ab};
}

}  // namespace

struct OnednnMatmul::Prepared {
  explicit Prepared(const MatmulRequest& r) : request(r) {
    if (is_trivial()) return;
    const auto a = matrix(r.rows, r.depth, r.transpose_a), b = matrix(r.depth, r.columns, r.transpose_b),
               c = matrix(r.rows, r.columns, false);
    dnnl::primitive_attr attributes;
    attributes.set_scratchpad_mode(dnnl::scratchpad_mode::user);
    const dnnl::matmul::primitive_desc description({a, b, c}, attributes, engine);
    primitive = dnnl::matmul(description);
    arguments = {{DNNL_ARG_SRC, {a, engine, const_cast<float*>(r.a)}},
                 {DNNL_ARG_WEIGHTS, {b, engine, const_cast<float*>(r.b)}},
                 {DNNL_ARG_DST, {c, engine, r.c}},
                 {DNNL_ARG_SCRATCHPAD, {description.scratchpad_desc(), engine}}};
  }

  bool is_trivial() const { return request.rows == 0 || request.columns == 0 || request.depth == 0; }

  MatmulRequest request;
  dnnl::engine engine{dnnl::engine::kind::cpu, 0};
  dnnl::stream stream{engine};
  dnnl::matmul primitive;
  std::unordered_map<int, dnnl::memory> arguments;
};

OnednnMatmul::OnednnMatmul(const MatmulRequest& request, int threads) {
  const TeamSize team_size(threads);
  try {
    prepared_ = std::make_unique<Prepared>(request);
  } catch (const dnnl::error& error) {
    throw Error(ExitCode::run_failed,
                {.where = fmt::format("matrix product {} x {} x {}", request.rows, request.columns, request.depth),
                 .found = fmt::format("oneDNN: {}", error.what())});
  }
}

OnednnMatmul::~OnednnMatmul() = default;
OnednnMatmul::OnednnMatmul(OnednnMatmul&&) noexcept = default;

void OnednnMatmul::run() {
  const MatmulRequest& request = prepared_->request;
  if (prepared_->is_trivial()) {
    std::fill_n(request.c, request.rows * request.columns, 0.0F);
    return;
  }
  prepared_->primitive.execute(prepared_->stream, prepared_->arguments);
}

}  // namespace dtbench
