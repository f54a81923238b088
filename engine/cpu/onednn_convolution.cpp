#include "engine/cpu/onednn_convolution.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <optional>
#include <unordered_map>

#include "engine/cpu/onednn_threads.h"
#include "engine/cpu/onednn_type.h"
#include "engine/cpu/workspace.h"
#include "topologies/base/error.h"

namespace dtbench {

namespace {

using Memory = dnnl::memory;
using Arguments = std::unordered_map<int, Memory>;

/// Layouts of x, w and y in oneDNN's terms; w as ours, or as the primitive likes it.
struct Layouts {
  Memory::desc x, w, any_w, y;
  Memory::dims strides, padding;

  Layouts(const ImageShape& s, DType dtype)
      : x({s.batch, s.channels, s.height, s.width}, onednn_type_of(dtype), Memory::format_tag::nhwc),
        y({s.batch, s.filters, s.out_height, s.out_width}, onednn_type_of(dtype), Memory::format_tag::nhwc),
        strides{s.stride, s.stride},
        padding{s.padding, s.padding} {
    const Memory::dims window = {s.window_height, s.window_width};
    const bool grouped = s.groups > 1;
    Memory::dims dims = {s.filters_of_group(), s.channels_of_group(), window[0], window[1]};
    if (grouped) dims.insert(dims.begin(), s.groups);
    w = {dims, onednn_type_of(dtype), grouped ? Memory::format_tag::hwigo : Memory::format_tag::hwio};
    any_w = {dims, onednn_type_of(dtype), Memory::format_tag::any};
  }
};

dnnl::primitive_attr attributes() {
  dnnl::primitive_attr attributes;
  attributes.set_scratchpad_mode(dnnl::scratchpad_mode::user);
  return attributes;
}

dnnl::convolution_forward::primitive_desc forward_of(const Layouts& l, const dnnl::engine& engine) {
  return {{dnnl::prop_kind::forward_training, dnnl::algorithm::convolution_direct, l.x, l.any_w, l.y, l.strides,
           l.padding, l.padding},
          attributes(),
          engine};
}

std::size_t page_up(std::size_t bytes) { return (bytes + 4095) / 4096 * 4096; }

}  // namespace

struct OnednnConvolution::Prepared {
  Prepared(const ConvolutionRequest& r, const CoreTeam& the_team) : request(r), team(the_team) {}

  ConvolutionRequest request;
  const CoreTeam& team;
  dnnl::engine engine{dnnl::engine::kind::cpu, 0};
  dnnl::stream stream{engine};
  dnnl::primitive primitive;
  Arguments arguments;
  std::optional<dnnl::reorder> reorder;
  Memory plain_weight, packed_weight, scratchpad;
  std::size_t scratchpad_bytes = 0;

  bool is_gradient_of_weight() const { return request.pass == ConvolutionPass::grad_weight; }

  void make() {
    const Layouts layouts(request.shape, request.dtype);
    const auto forward = forward_of(layouts, engine);
    if (request.pass == ConvolutionPass::forward) {
      primitive = dnnl::convolution_forward(forward);
      bind(forward, layouts, forward.weights_desc());
      arguments[DNNL_ARG_SRC] = memory(layouts.x, request.first);
      arguments[DNNL_ARG_DST] = memory(layouts.y, request.target);
      arguments[DNNL_ARG_WEIGHTS] = packed_weight;
    } else if (request.pass == ConvolutionPass::grad_input) {
      const dnnl::convolution_backward_data::primitive_desc description(
          {dnnl::algorithm::convolution_direct, layouts.x, layouts.any_w, layouts.y, layouts.strides, layouts.padding,
           layouts.padding},
          attributes(), engine, forward);
      primitive = dnnl::convolution_backward_data(description);
      bind(description, layouts, description.weights_desc());
      arguments[DNNL_ARG_DIFF_DST] = memory(layouts.y, request.first);
      arguments[DNNL_ARG_DIFF_SRC] = memory(layouts.x, request.target);
      arguments[DNNL_ARG_WEIGHTS] = packed_weight;
    } else {
      const dnnl::convolution_backward_weights::primitive_desc description(
          {dnnl::algorithm::convolution_direct, layouts.x, layouts.any_w, layouts.y, layouts.strides, layouts.padding,
           layouts.padding},
          attributes(), engine, forward);
      primitive = dnnl::convolution_backward_weights(description);
      bind(description, layouts, description.diff_weights_desc());
      arguments[DNNL_ARG_SRC] = memory(layouts.x, request.first);
      arguments[DNNL_ARG_DIFF_DST] = memory(layouts.y, request.second);
      arguments[DNNL_ARG_DIFF_WEIGHTS] = packed_weight;
    }
    arguments[DNNL_ARG_SCRATCHPAD] = scratchpad;
  }

  Memory memory(const Memory::desc& layout, const void* data) const {
    return {layout, engine, const_cast<void*>(data)};
  }

  // Weights in the primitive's order lie in the workspace, behind the scratchpad.
  template <class Description>
  void bind(const Description& description, const Layouts& layouts, const Memory::desc& packed) {
    const Memory::desc scratch = description.scratchpad_desc();
    scratchpad_bytes = page_up(scratch.get_size());
    scratchpad = memory(scratch, nullptr);
    plain_weight = memory(layouts.w, is_gradient_of_weight() ? request.target : request.second);
    packed_weight = plain_weight;
    std::size_t packed_bytes = 0;
    if (packed != layouts.w) {
      packed_weight = memory(packed, nullptr);
      packed_bytes = packed.get_size();
      reorder = is_gradient_of_weight() ? dnnl::reorder(packed_weight, plain_weight)
                                        : dnnl::reorder(plain_weight, packed_weight);
    }
    team.workspace().reserve(scratchpad_bytes + packed_bytes);
  }

  void run() {
    std::byte* workspace = team.workspace().data();
    scratchpad.set_data_handle(workspace);
    if (reorder) packed_weight.set_data_handle(workspace + scratchpad_bytes);
    if (reorder && !is_gradient_of_weight()) reorder->execute(stream, plain_weight, packed_weight);
    primitive.execute(stream, arguments);
    if (reorder && is_gradient_of_weight()) reorder->execute(stream, packed_weight, plain_weight);
  }
};

namespace {

[[noreturn]] void fail(const ConvolutionRequest& r, std::string_view what) {
  const ImageShape& s = r.shape;
  throw Error(ExitCode::run_failed,
              {.where = fmt::format("convolution of [{},{},{},{}] by [{},{},{},{}]", s.batch, s.height, s.width,
                                    s.channels, s.window_height, s.window_width, s.channels_of_group(), s.filters),
               .found = fmt::format("oneDNN: {}", what)});
}

bool is_empty(const ImageShape& s) { return s.x_elements() == 0 || s.y_elements() == 0; }

}  // namespace

OnednnConvolution::OnednnConvolution(const ConvolutionRequest& request, const CoreTeam& team)
    : prepared_(std::make_unique<Prepared>(request, team)) {
  if (is_empty(request.shape)) return;
  const TeamSize team_size(team.size());
  try {
    prepared_->make();
  } catch (const dnnl::error& error) {
    fail(request, error.what());
  }
}

OnednnConvolution::~OnednnConvolution() = default;
OnednnConvolution::OnednnConvolution(OnednnConvolution&&) noexcept = default;

void OnednnConvolution::run() {
  const ConvolutionRequest& request = prepared_->request;
  const TeamSize team_size(prepared_->team.size());
  if (!is_empty(request.shape)) return prepared_->run();
  if (request.pass == ConvolutionPass::grad_weight)
    std::fill_n(static_cast<std::byte*>(request.target), request.shape.w_elements() * bytes_of(request.dtype),
                std::byte{0});
}

}  // namespace dtbench
