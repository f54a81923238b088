#include "engine/cpu/onednn_matmul.h"

#include <fmt/format.h>

#include <algorithm>
#include <oneapi/dnnl/dnnl.hpp>
#include <string_view>
#include <unordered_map>

#include "engine/cpu/onednn_threads.h"
#include "topologies/base/error.h"

namespace dtbench {

namespace {

dnnl::memory::desc matrix(std::int64_t rows, std::int64_t columns, bool transposed) {
  using Tag = dnnl::memory::format_tag;
  return {{rows, columns}, dnnl::memory::data_type::f32, transposed ? Tag::ba : Tag::ab};
}

bool is_empty(const MatmulRequest& r) { return r.rows == 0 || r.columns == 0 || r.depth == 0; }

[[noreturn]] void fail(const MatmulRequest& r, std::string_view what) {
  throw Error(ExitCode::run_failed, {.where = fmt::format("matrix product {} x {} x {}", r.rows, r.depth, r.columns),
                                     .found = fmt::format("oneDNN: {}", what)});
}

}  // namespace

struct OnednnMatmul::Prepared {
  MatmulRequest request;
  dnnl::stream stream;  // empty: dnnl_sgemm
  dnnl::matmul primitive;
  std::unordered_map<int, dnnl::memory> arguments;

  void make_primitive() {
    const MatmulRequest& r = request;
    const dnnl::engine engine(dnnl::engine::kind::cpu, 0);
    const auto a = matrix(r.rows, r.depth, r.transpose_a), b = matrix(r.depth, r.columns, r.transpose_b),
               c = matrix(r.rows, r.columns, false);
    dnnl::primitive_attr attributes;
    attributes.set_scratchpad_mode(dnnl::scratchpad_mode::user);
    const dnnl::matmul::primitive_desc description({a, b, c}, attributes, engine);
    stream = dnnl::stream(engine);
    primitive = dnnl::matmul(description);
    arguments = {{DNNL_ARG_SRC, {a, engine, const_cast<float*>(r.a)}},
                 {DNNL_ARG_WEIGHTS, {b, engine, const_cast<float*>(r.b)}},
                 {DNNL_ARG_DST, {c, engine, r.c}},
                 {DNNL_ARG_SCRATCHPAD, {description.scratchpad_desc(), engine}}};
  }

  dnnl_status_t run_gemm() const {
    const MatmulRequest& r = request;
    return dnnl_sgemm(r.transpose_a ? 'T' : 'N', r.transpose_b ? 'T' : 'N', r.rows, r.columns, r.depth, 1.0F, r.a,
                      r.transpose_a ? r.rows : r.depth, r.b, r.transpose_b ? r.depth : r.columns, 0.0F, r.c, r.columns);
  }
};

MatmulWay faster_way(const MatmulRequest& request) {
  const bool gemm = request.transpose_a || (request.transpose_b ? request.rows <= 4 : request.columns >= 512);
  return gemm ? MatmulWay::gemm : MatmulWay::primitive;
}

OnednnMatmul::OnednnMatmul(const MatmulRequest& request, int threads, MatmulWay way)
    : prepared_(std::make_unique<Prepared>()) {
  prepared_->request = request;
  if (way == MatmulWay::gemm || is_empty(request)) return;
  const TeamSize team_size(threads);
  try {
    prepared_->make_primitive();
  } catch (const dnnl::error& error) {
    fail(request, error.what());
  }
}

OnednnMatmul::~OnednnMatmul() = default;
OnednnMatmul::OnednnMatmul(OnednnMatmul&&) noexcept = default;

void OnednnMatmul::run() {
  const MatmulRequest& request = prepared_->request;
  if (is_empty(request)) {
    std::fill_n(request.c, request.rows * request.columns, 0.0F);
  } else if (prepared_->stream) {
    prepared_->primitive.execute(prepared_->stream, prepared_->arguments);
  } else if (prepared_->run_gemm() != dnnl_success) {
    fail(request, "dnnl_sgemm failed");
  }
}

}  // namespace dtbench
