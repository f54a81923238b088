// The CPU's kernels by themselves, as fractions of what this machine can do at most (measured first, in the same run):
// products of the FMA peak (float32), the others of the bandwidth of a copy in memory and of a triad in cache.
//
// One thread is judged by its CPU time, a team by the wall clock. Read fractions, not rates: the machine may be shared.
#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <array>
#include <cstdlib>

#include "engine/cpu/cpu_backend.h"
#include "engine/cpu/host_probe.h"
#include "engine/cpu/peak.h"
#include "engine/plan/op_rule.h"
#include "engine/runtime/low_precision.h"

namespace {

using namespace dtbench;

Tensor real(Shape shape, DType storage = DType::float32) {
  return {.name = "x", .shape = std::move(shape), .dtype = storage};
}
Tensor numbers(Shape shape) { return {.name = "numbers", .shape = std::move(shape), .dtype = DType::int32}; }

/// One operation to run: judged by its floating point operations where `is_product`, else by its bytes.
struct Case {
  std::string kind, size;
  std::vector<Tensor> inputs;
  Attributes attributes;
  bool is_product = false;
};

/// The kinds of an mlp: batch x inputs x outputs of a layer.
void add_dense_cases(std::vector<Case>& cases) {
  for (const auto& [batch, in, out] : {std::array<std::int64_t, 3>{128, 784, 128},
                                       {128, 784, 1024},
                                       {128, 1024, 1024},
                                       {128, 4096, 4096},
                                       {128, 1024, 10},
                                       {32, 1024, 1024},
                                       {512, 1024, 1024},
                                       {1, 1024, 1024}}) {
    const std::string size = fmt::format("{}x{}x{}", batch, in, out);
    const Tensor x = real({batch, in}), w = real({in, out}), y = real({batch, out});
    cases.push_back({"dense", size, {x, w}, {}, true});
    cases.push_back({"dense_grad_input", size, {y, w}, {}, true});
    cases.push_back({"dense_grad_weight", size, {x, y}, {}, true});
  }
}

void add_layer_cases(std::vector<Case>& cases) {
  for (const auto& [batch, out] :
       {std::array<std::int64_t, 2>{128, 10}, {128, 128}, {128, 1024}, {128, 4096}, {4096, 4096}}) {
    const std::string size = fmt::format("{}x{}", batch, out);
    const Tensor y = real({batch, out}), flat = real({batch * out});
    for (const auto* kind : {"bias_grad", "relu"}) cases.push_back({kind, size, {y}, {}});
    for (const auto* kind : {"add", "relu_grad"}) cases.push_back({kind, size, {y, y}, {}});
    cases.push_back({"bias", size, {y, real({out})}, {}});
    for (const auto* kind : {"softmax_cross_entropy", "softmax_cross_entropy_grad"})
      cases.push_back({kind, size, {y, numbers({batch})}, {{"scale", 0.01}}});
    cases.push_back({"sgd_momentum", size, {flat, flat, flat}, {{"momentum", 0.9}, {"learning_rate", 0}}});
  }
}

/// The kinds of a transformer: batch x sequence x hidden, heads of 64.
void add_sequence_cases(std::vector<Case>& cases, DType storage) {
  for (const auto& [batch, length, hidden] : {std::array<std::int64_t, 3>{8, 128, 256}, {8, 128, 768}, {2, 512, 768}}) {
    const std::string size = fmt::format("{}x{}x{}/{}", batch, length, hidden, name_of(storage));
    const std::int64_t heads = hidden / 64;
    const Tensor x = real({batch, length, hidden}, storage), wide = real({batch, length, 4 * hidden}, storage),
                 qkv = real({batch, length, 3 * hidden}, storage), vector = real({hidden}),
                 rows = real({batch, length}), p = real({batch, heads, length, length}, storage);
    for (const double causal : {0.0, 1.0}) {
      const Attributes attributes = {{"heads", static_cast<double>(heads)}, {"causal", causal}};
      const std::string which = size + (causal != 0 ? "/causal" : "");
      cases.push_back({"attention", which, {qkv}, attributes, true});
      cases.push_back({"attention_grad", which, {x, qkv, p}, attributes, true});
    }
    cases.push_back({"layer_norm", size, {x, vector, vector}, {{"epsilon", 1e-5}}});
    cases.push_back({"layer_norm_grad", size, {x, x, vector, rows, rows}, {{"epsilon", 1e-5}}});
    for (const double approximate : {0.0, 1.0}) {
      const std::string form = size + (approximate != 0 ? "/tanh" : "/erf");
      cases.push_back({"gelu", form, {wide}, {{"approximate", approximate}}});
      cases.push_back({"gelu_grad", form, {wide, wide}, {{"approximate", approximate}}});
    }
    cases.push_back({"tanh", size, {x}, {}});
    cases.push_back({"tanh_grad", size, {x, x}, {}});
    for (const auto* kind : {"dropout", "dropout_grad"})
      cases.push_back({kind, size, {x}, {{"rate", 0.1}, {"salt", 1}}});
    cases.push_back({"embedding", size, {real({30522, hidden}, storage), numbers({batch, length})}, {}});
    cases.push_back({"embedding_grad", size, {numbers({batch, length}), x}, {{"rows", 30522}}});
    cases.push_back({"gather_rows", size, {x, numbers({batch, 20})}, {}});
    cases.push_back({"gather_rows_grad",
                     size,
                     {numbers({batch, 20}), real({batch, 20, hidden}, storage)},
                     {{"sequence", static_cast<double>(length)}}});
  }
}

/// A square convolution and what follows it in a network: images of size x size.
struct Convolution {
  std::int64_t batch, size, channels, filters, window, stride;
  std::string text(DType storage) const {
    return fmt::format("{}x{}x{}x{}/{}x{}x{}/{}/{}", batch, size, size, channels, window, window, filters, stride,
                       name_of(storage));
  }
};

/// The shapes of ResNets: of 32 x 32 images, the stem and the narrow products of ResNet-50, those of resnet8.
constexpr Convolution kConvolutions[] = {{32, 32, 64, 64, 3, 1},  {32, 16, 128, 128, 3, 1}, {32, 4, 512, 512, 3, 1},
                                         {32, 32, 64, 128, 3, 2}, {8, 224, 3, 64, 7, 2},    {8, 56, 64, 256, 1, 1},
                                         {8, 7, 2048, 512, 1, 1}, {128, 28, 16, 16, 3, 1}};

void add_image_cases(std::vector<Case>& cases, DType storage) {
  for (const Convolution& c : kConvolutions) {
    const std::string size = c.text(storage);
    const std::int64_t padding = c.window / 2, out = (c.size + 2 * padding - c.window) / c.stride + 1;
    const Tensor x = real({c.batch, c.size, c.size, c.channels}, storage),
                 w = real({c.window, c.window, c.channels, c.filters}, storage),
                 y = real({c.batch, out, out, c.filters}, storage), vector = real({c.filters}),
                 moments = real({2 * c.filters + 1}, DType::float64);
    const auto extent = static_cast<double>(c.size), window = static_cast<double>(c.window);
    const Attributes attributes = {{"stride", static_cast<double>(c.stride)},
                                   {"padding", static_cast<double>(padding)},
                                   {"height", extent},
                                   {"width", extent},
                                   {"kernel_height", window},
                                   {"kernel_width", window}};
    cases.push_back({"conv2d", size, {x, w}, attributes, true});
    cases.push_back({"conv2d_grad_input", size, {y, w}, attributes, true});
    cases.push_back({"conv2d_grad_weight", size, {x, y}, attributes, true});
    const Attributes norm = {{"epsilon", 1e-5}, {"momentum", 0.1}};
    cases.push_back({"batch_norm_statistics", size, {y}, {}});
    cases.push_back({"batch_norm", size, {y, moments, vector, vector, vector, vector}, norm});
    cases.push_back({"batch_norm_grad_statistics", size, {y, y, moments, vector}, norm});
    cases.push_back({"batch_norm_grad_input", size, {y, y, moments, vector, real({2 * c.filters})}, norm});
    const Attributes pool = {{"window", 3}, {"stride", 2}, {"padding", 1}};
    const Tensor pooled = real({c.batch, (out + 1) / 2, (out + 1) / 2, c.filters}, storage);
    cases.push_back({"max_pool2d", size, {y}, pool});
    cases.push_back({"max_pool2d_grad", size, {y, pooled}, pool});
    cases.push_back({"global_average_pool", size, {y}, {}});
  }
}

std::vector<Case> all_cases() {
  std::vector<Case> cases;
  add_dense_cases(cases);
  add_layer_cases(cases);
  for (const DType storage : {DType::float32, DType::bfloat16}) add_sequence_cases(cases, storage);
  for (const DType storage : {DType::float32, DType::bfloat16}) add_image_cases(cases, storage);
  return cases;
}

/// One op on a device of its own, ready to run.
class PreparedOp {
 public:
  PreparedOp(const Case& row, int threads) : device_(make_cpu_backend()->open_device(0, threads)) {
    device_->enter(Stream::compute);
    Graph graph;
    std::vector<TensorId> ids;
    for (const Tensor& tensor : row.inputs) ids.push_back(graph.add_tensor(tensor));
    graph.add_op(row.kind, "bench/" + row.kind, ids, row.attributes);
    const GraphOp& op = graph.ops[0];
    allocate(graph);
    prepare(graph, op);
  }

  void run() { kernel_->run(0); }
  OpCost cost() const { return cost_; }

 private:
  void allocate(const Graph& graph) {
    for (const Tensor& tensor : graph.tensors) {
      Buffer buffer{device_->allocate(tensor.bytes()), tensor.shape, tensor.dtype};
      for (std::int64_t i = 0; i < buffer.elements(); ++i) set(buffer, i, static_cast<float>(i % 17 - 8) / 16);
      buffers_.push_back(std::move(buffer));
    }
  }

  static void set(const Buffer& buffer, std::int64_t i, float value) {
    if (buffer.dtype == DType::float32) static_cast<float*>(buffer.data)[i] = value;
    if (buffer.dtype == DType::bfloat16) static_cast<Bfloat16*>(buffer.data)[i] = value;
    if (buffer.dtype == DType::float64) static_cast<double*>(buffer.data)[i] = 1;
    if (buffer.dtype == DType::int32) static_cast<std::int32_t*>(buffer.data)[i] = static_cast<std::int32_t>(i % 10);
  }

  void prepare(const Graph& graph, const GraphOp& op) {
    PlanOp plan_op;
    plan_op.name = op.name;
    plan_op.kind = op.kind;
    plan_op.attributes = op.attributes;
    KernelRequest request{.op = plan_op, .scalars = &scalars_};
    std::vector<Tensor> in, out;
    for (const TensorId id : op.inputs) {
      request.inputs.push_back(buffers_[static_cast<std::size_t>(id)]);
      in.push_back(graph.tensors[static_cast<std::size_t>(id)]);
    }
    for (const TensorId id : op.outputs) {
      request.outputs.push_back(buffers_[static_cast<std::size_t>(id)]);
      out.push_back(graph.tensors[static_cast<std::size_t>(id)]);
    }
    cost_ = op_rule(op.kind).cost(in, out, op.attributes);
    kernel_ = device_->prepare(request);
  }

  std::unique_ptr<Device> device_;
  StepScalars scalars_;
  std::vector<Buffer> buffers_;
  std::unique_ptr<Kernel> kernel_;
  OpCost cost_;
};

void run_kernel(benchmark::State& state, const Case& row, const MachinePeak& peak) {
  PreparedOp op(row, peak.threads);
  for (auto _ : state) op.run();
  const auto rate = [](double amount) {
    return benchmark::Counter(amount, benchmark::Counter::kIsIterationInvariantRate);
  };
  if (row.is_product) {
    state.counters["GFLOP/s"] = rate(op.cost().flops / 1e9);
    state.counters["of_fma_peak"] = rate(op.cost().flops / peak.flops_per_second);
  } else {
    state.counters["GB/s"] = rate(op.cost().bytes / 1e9);
    state.counters["of_memory_copy"] = rate(op.cost().bytes / peak.memory_bytes_per_second);
    state.counters["of_cache_triad"] = rate(op.cost().bytes / peak.cache_bytes_per_second);
  }
}

void add_benchmarks(const MachinePeak& peak) {
  for (const Case& row : all_cases()) {
    auto* bench =
        benchmark::RegisterBenchmark(fmt::format("{}/{}/threads:{}", row.kind, row.size, peak.threads).c_str(),
                                     [row, peak](benchmark::State& state) { run_kernel(state, row, peak); });
    bench->Unit(benchmark::kMicrosecond);
    if (peak.threads > 1) bench->UseRealTime();
  }
}

}  // namespace

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return EXIT_FAILURE;
  const std::vector<int> cpus = make_host_probe()->facts().core_cpus;
  for (const std::size_t threads :
       cpus.size() > 1 ? std::vector{std::size_t{1}, cpus.size()} : std::vector{cpus.size()}) {
    const MachinePeak peak = measure_peak({cpus.begin(), cpus.begin() + static_cast<std::ptrdiff_t>(threads)});
    benchmark::AddCustomContext(
        fmt::format("measured peak of {} thread(s)", threads),
        fmt::format("{}: {:.0f} GFLOP/s, copy in memory {:.1f} GB/s, triad in cache {:.1f} GB/s", name_of(peak.isa),
                    peak.flops_per_second / 1e9, peak.memory_bytes_per_second / 1e9,
                    peak.cache_bytes_per_second / 1e9));
    add_benchmarks(peak);
  }
  benchmark::RunSpecifiedBenchmarks();
  return EXIT_SUCCESS;
}
