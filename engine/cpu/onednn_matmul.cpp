#include "engine/cpu/onednn_matmul.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <string_view>
#include <unordered_map>

#include "engine/cpu/onednn_threads.h"
#include "engine/cpu/onednn_type.h"
#include "topologies/base/error.h"

namespace dtbench {

namespace {

dnnl::memory::desc matrix(std::int64_t rows, std::int64_t columns, DType type, bool transposed = false) {
  using Tag = dnnl::memory::format_tag;
  return {{rows, columns}, onednn_type_of(type), transposed ? Tag::ba : Tag::ab};
}

bool is_empty(const MatmulRequest& r) { return r.rows == 0 || r.columns == 0 || r.depth == 0; }

[[noreturn]] void fail(const MatmulRequest& r, std::string_view what) {
  throw Error(ExitCode::run_failed, {.where = fmt::format("matrix product {} x {} x {}", r.rows, r.depth, r.columns),
                                     .found = fmt::format("oneDNN: {}", what)});
}

}  // namespace

struct OnednnMatmul::Prepared {
  MatmulRequest request;
  int threads = 1;
  dnnl::stream stream;  // empty: dnnl_sgemm
  dnnl::matmul primitive;
  std::unordered_map<int, dnnl::memory> arguments;

  void make_primitive() {
    const MatmulRequest& r = request;
    const dnnl::engine engine(dnnl::engine::kind::cpu, 0);
    const auto a = matrix(r.rows, r.depth, r.type, r.transpose_a), b = matrix(r.depth, r.columns, r.type, r.transpose_b),
               c = matrix(r.rows, r.columns, r.type);
    dnnl::primitive_attr attributes;
    attributes.set_scratchpad_mode(dnnl::scratchpad_mode::user);
    const dnnl::matmul::primitive_desc description({a, b, c}, attributes, engine);
    stream = dnnl::stream(engine);
    primitive = dnnl::matmul(description);
    arguments = {{DNNL_ARG_SRC, {a, engine, const_cast<void*>(r.a)}},
                 {DNNL_ARG_WEIGHTS, {b, engine, const_cast<void*>(r.b)}},
                 {DNNL_ARG_DST, {c, engine, r.c}},
                 {DNNL_ARG_SCRATCHPAD, {description.scratchpad_desc(), engine}}};
  }

  dnnl_status_t run_gemm() const {
    const MatmulRequest& r = request;
    return dnnl_sgemm(r.transpose_a ? 'T' : 'N', r.transpose_b ? 'T' : 'N', r.rows, r.columns, r.depth, 1.0F,
                      static_cast<const float*>(r.a), r.transpose_a ? r.rows : r.depth, static_cast<const float*>(r.b),
                      r.transpose_b ? r.depth : r.columns, 0.0F, static_cast<float*>(r.c), r.columns);
  }
};

MatmulWay faster_way(const MatmulRequest& request) {
  const bool gemm = request.type == DType::float32 &&
                    (request.transpose_a || (request.transpose_b ? request.rows <= 4 : request.columns >= 512));
  return gemm ? MatmulWay::gemm : MatmulWay::primitive;
}

OnednnMatmul::OnednnMatmul(const MatmulRequest& request, int threads, MatmulWay way)
    : prepared_(std::make_unique<Prepared>()) {
  DTBENCH_CHECK(way == MatmulWay::primitive || request.type == DType::float32);
  prepared_->request = request;
  prepared_->threads = threads;
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
  const TeamSize team_size(prepared_->threads);
  if (is_empty(request)) {
    // Not memset, which may not be called with a null pointer: a product without rows has no memory.
    std::fill_n(static_cast<std::byte*>(request.c), request.rows * request.columns * bytes_of(request.type),
                std::byte{0});
  } else if (prepared_->stream) {
    prepared_->primitive.execute(prepared_->stream, prepared_->arguments);
  } else if (prepared_->run_gemm() != dnnl_success) {
    fail(request, "dnnl_sgemm failed");
  }
}

}  // namespace dtbench
