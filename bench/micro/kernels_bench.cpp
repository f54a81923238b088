// The CPU's kernels by themselves, as fractions of what this machine can do at most (measured first, in the same run):
// dense kinds of the FMA peak, the others of the bandwidth of a copy in memory and of a triad in cache.
//
// One thread is judged by its CPU time, a team by the wall clock. Read fractions, not rates: the machine may be shared.
#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <cstdlib>

#include "engine/cpu/cpu_backend.h"
#include "engine/cpu/host_probe.h"
#include "engine/cpu/peak.h"
#include "engine/plan/op_rule.h"

namespace {

using namespace dtbench;

/// batch x inputs -> outputs of one layer.
struct Layer {
  std::int64_t batch, inputs, outputs;
};

constexpr Layer kDenseLayers[] = {{128, 784, 128}, {128, 784, 1024}, {128, 1024, 1024}, {128, 4096, 4096},
                                  {128, 1024, 10}, {32, 1024, 1024}, {512, 1024, 1024}, {1, 1024, 1024}};
constexpr Layer kOtherLayers[] = {{128, 0, 10}, {128, 0, 128}, {128, 0, 1024}, {128, 0, 4096}, {4096, 0, 4096}};

Tensor matrix(std::int64_t rows, std::int64_t columns) { return {.name = "x", .shape = {rows, columns}}; }
Tensor vector(std::int64_t size) { return {.name = "v", .shape = {size}}; }
Tensor labels(std::int64_t rows) { return {.name = "labels", .shape = {rows}, .dtype = DType::int32}; }

std::vector<Tensor> inputs_of(std::string_view kind, const Layer& l) {
  const Tensor y = matrix(l.batch, l.outputs);
  if (kind == "dense") return {matrix(l.batch, l.inputs), matrix(l.inputs, l.outputs)};
  if (kind == "dense_grad_input") return {y, matrix(l.inputs, l.outputs)};
  if (kind == "dense_grad_weight") return {matrix(l.batch, l.inputs), y};
  if (kind == "bias") return {y, vector(l.outputs)};
  if (kind == "softmax_cross_entropy" || kind == "softmax_cross_entropy_grad") return {y, labels(l.batch)};
  if (kind == "sgd_momentum") return std::vector<Tensor>(3, vector(l.batch * l.outputs));
  if (kind == "add" || kind == "relu_grad") return {y, y};
  return {y};
}

/// One op of `kind` on a device of its own, ready to run.
class PreparedOp {
 public:
  PreparedOp(std::string_view kind, const Layer& layer, int threads)
      : device_(make_cpu_backend()->open_device(0, threads)) {
    device_->enter(Stream::compute);
    Graph graph;
    std::vector<TensorId> ids;
    for (Tensor& tensor : inputs_of(kind, layer)) ids.push_back(graph.add_tensor(std::move(tensor)));
    graph.add_op(std::string(kind), "bench/" + std::string(kind), ids,
                 {{"scale", 0.01}, {"momentum", 0.9}, {"learning_rate", 0}});
    GraphOp& op = graph.ops[0];
    if (kind == "sgd_momentum") op.outputs = {op.inputs[0], op.inputs[2]};
    allocate(graph);
    prepare(graph, op);
  }

  void run() { kernel_->run(0); }
  OpCost cost() const { return cost_; }

 private:
  void allocate(const Graph& graph) {
    for (const Tensor& tensor : graph.tensors) {
      Buffer buffer{device_->allocate(tensor.bytes()), tensor.shape, tensor.dtype};
      auto* values = static_cast<float*>(buffer.data);
      for (std::int64_t i = 0; tensor.dtype == DType::float32 && i < buffer.elements(); ++i) {
        values[i] = static_cast<float>(i % 17 - 8) / 16;
      }
      buffers_.push_back(std::move(buffer));
    }
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

void run_kernel(benchmark::State& state, std::string_view kind, const Layer& layer, const MachinePeak& peak) {
  PreparedOp op(kind, layer, peak.threads);
  for (auto _ : state) op.run();
  const auto rate = [](double amount) {
    return benchmark::Counter(amount, benchmark::Counter::kIsIterationInvariantRate);
  };
  if (layer.inputs > 0) {
    state.counters["GFLOP/s"] = rate(op.cost().flops / 1e9);
    state.counters["of_fma_peak"] = rate(op.cost().flops / peak.flops_per_second);
  } else {
    state.counters["GB/s"] = rate(op.cost().bytes / 1e9);
    state.counters["of_memory_copy"] = rate(op.cost().bytes / peak.memory_bytes_per_second);
    state.counters["of_cache_triad"] = rate(op.cost().bytes / peak.cache_bytes_per_second);
  }
}

void add_benchmarks(const MachinePeak& peak) {
  for (const OpRule& rule : op_rules()) {
    const bool is_dense = rule.kind.starts_with("dense");
    for (const Layer& layer : is_dense ? std::span<const Layer>(kDenseLayers) : std::span<const Layer>(kOtherLayers)) {
      const std::string shape = is_dense ? fmt::format("{}x{}x{}", layer.batch, layer.inputs, layer.outputs)
                                         : fmt::format("{}x{}", layer.batch, layer.outputs);
      auto* bench = benchmark::RegisterBenchmark(
          fmt::format("{}/{}/threads:{}", rule.kind, shape, peak.threads).c_str(),
          [kind = rule.kind, layer, peak](benchmark::State& state) { run_kernel(state, kind, layer, peak); });
      bench->Unit(benchmark::kMicrosecond);
      if (peak.threads > 1) bench->UseRealTime();
    }
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
        fmt::format("peak of {} thread(s)", threads),
        fmt::format("{}: {:.0f} GFLOP/s, copy in memory {:.1f} GB/s, triad in cache {:.1f} GB/s", name_of(peak.isa),
                    peak.flops_per_second / 1e9, peak.memory_bytes_per_second / 1e9,
                    peak.cache_bytes_per_second / 1e9));
    add_benchmarks(peak);
  }
  benchmark::RunSpecifiedBenchmarks();
  return EXIT_SUCCESS;
}
