#include "engine/cpu/onednn_strided_matmul.h"

#include <fmt/format.h>

#include <unordered_map>

#include "engine/cpu/onednn_threads.h"
#include "engine/cpu/onednn_type.h"
#include "topologies/base/error.h"

namespace dtbench {

namespace {

dnnl::memory::desc description_of(const StridedMatrix& m) {
  const dnnl::memory::dims strides = m.transposed ? dnnl::memory::dims{1, m.stride} : dnnl::memory::dims{m.stride, 1};
  return {{m.rows, m.columns}, onednn_type_of(m.dtype), strides};
}

}  // namespace

struct OnednnStridedMatmul::Prepared {
  dnnl::engine engine{dnnl::engine::kind::cpu, 0};
  dnnl::stream stream{engine};
  dnnl::memory a, b, c;
  dnnl::matmul primitive;
  std::unordered_map<int, dnnl::memory> arguments;

  Prepared(const StridedMatrix& a_shape, const StridedMatrix& b_shape, const StridedMatrix& c_shape)
      : a(description_of(a_shape), engine, nullptr),
        b(description_of(b_shape), engine, nullptr),
        c(description_of(c_shape), engine, nullptr) {
    dnnl::primitive_attr attributes;
    attributes.set_scratchpad_mode(dnnl::scratchpad_mode::user);
    const dnnl::matmul::primitive_desc description({a.get_desc(), b.get_desc(), c.get_desc()}, attributes, engine);
    primitive = dnnl::matmul(description);
    // The memories are handles that `run` points elsewhere.
    arguments = {{DNNL_ARG_SRC, a},
                 {DNNL_ARG_WEIGHTS, b},
                 {DNNL_ARG_DST, c},
                 {DNNL_ARG_SCRATCHPAD, {description.scratchpad_desc(), engine}}};
  }
};

OnednnStridedMatmul::OnednnStridedMatmul(const StridedMatrix& a, const StridedMatrix& b, const StridedMatrix& c) {
  DTBENCH_CHECK(a.columns == b.rows && a.rows == c.rows && b.columns == c.columns && !c.transposed);
  const TeamSize one(1);
  try {
    prepared_ = std::make_unique<Prepared>(a, b, c);
  } catch (const dnnl::error& error) {
    throw Error(ExitCode::run_failed,
                {.where = fmt::format("matrix product {} x {} x {}", a.rows, a.columns, b.columns),
                 .found = fmt::format("oneDNN: {}", error.what())});
  }
}

OnednnStridedMatmul::~OnednnStridedMatmul() = default;
OnednnStridedMatmul::OnednnStridedMatmul(OnednnStridedMatmul&&) noexcept = default;

void OnednnStridedMatmul::run(const void* a, const void* b, void* c) {
  const TeamSize one(1);
  prepared_->a.set_data_handle(const_cast<void*>(a));
  prepared_->b.set_data_handle(const_cast<void*>(b));
  prepared_->c.set_data_handle(c);
  prepared_->primitive.execute(prepared_->stream, prepared_->arguments);
}

}  // namespace dtbench
