// Every kind of operation at the size that real models give it: of each model's planned step the largest call of each
// kind, by itself on one core. A kind that a planner starts to use appears here by itself.
#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>

#include "engine/cpu/cpu_backend.h"
#include "engine/plan/plan_step.h"
#include "topologies/base/error.h"

namespace {

using namespace dtbench;

struct Case {
  const char* model;
  std::map<std::string, std::int64_t> options;
  std::int64_t batch;
};

// Small enough that the whole program takes a minute or two.
const std::vector<Case>& cases() {
  static const std::vector<Case> kCases = {{"mlp", {{"hidden", 1024}}, 128},
                                           {"resnet18", {{"image-size", 64}}, 16},
                                           {"vgg16", {{"image-size", 64}}, 4},
                                           {"bert_mini", {{"seq-len", 128}}, 8},
                                           {"gpt_small", {{"seq-len", 128}}, 4}};
  return kCases;
}

RankClass class_of(const Case& c, const BackendTraits& traits) {
  StepRequest request;
  request.model = c.model;
  request.model_options = c.options;
  request.strategy = "single";
  request.batch_per_replica = c.batch;
  request.shape = {1, 1};
  request.traits = traits;
  return plan_step(request).classes.front();
}

// The call of each kind that moves most bytes, by kind.
std::map<std::string, PlanOp> largest_ops(const RankClass& rank_class) {
  std::map<std::string, PlanOp> largest;
  for (const PlanOp& op : rank_class.ops) {
    if (op.type != OpType::compute) continue;
    const auto [place, fresh] = largest.try_emplace(op.kind, op);
    if (!fresh && op.bytes > place->second.bytes) place->second = op;
  }
  return largest;
}

/// One operation on a device of its own, ready to run.
class PreparedOp {
 public:
  PreparedOp(const Backend& backend, const RankClass& rank_class, const PlanOp& op)
      : device_(backend.open_device(0, 1)), op_(op) {
    device_->enter(Stream::compute);
    KernelRequest request{.op = op_, .scalars = &scalars_};
    for (const TensorId id : op_.inputs) request.inputs.push_back(buffer_of(rank_class, id));
    for (const TensorId id : op_.outputs) request.outputs.push_back(buffer_of(rank_class, id));
    kernel_ = device_->prepare(request);
  }

  void run() { kernel_->run(0); }

 private:
  // An output that is an input stands where the input stands.
  Buffer buffer_of(const RankClass& rank_class, TensorId id) {
    const auto known = buffers_.find(id);
    if (known != buffers_.end()) return known->second;
    const Tensor& tensor = rank_class.tensors[static_cast<std::size_t>(id)];
    Buffer buffer{device_->allocate(tensor.bytes()), tensor.shape, tensor.dtype};
    if (tensor.dtype == DType::float32) std::fill_n(static_cast<float*>(buffer.data), buffer.elements(), 0.25F);
    if (tensor.dtype == DType::float64) std::fill_n(static_cast<double*>(buffer.data), buffer.elements(), 1.);
    return buffers_[id] = buffer;
  }

  std::unique_ptr<Device> device_;
  PlanOp op_;
  StepScalars scalars_;
  std::map<TensorId, Buffer> buffers_;
  std::unique_ptr<Kernel> kernel_;
};

std::string shape_of(const RankClass& rank_class, const PlanOp& op) {
  const TensorId id = op.inputs.empty() ? op.outputs.front() : op.inputs.front();
  return text_of(rank_class.tensors[static_cast<std::size_t>(id)].shape);
}

void run_op(benchmark::State& state, const Backend& backend, const RankClass& rank_class, const PlanOp& op) {
  try {
    PreparedOp prepared(backend, rank_class, op);
    for (auto _ : state) prepared.run();
  } catch (const Error& error) {  // a kind that this back end cannot run yet
    return state.SkipWithError(error.what());
  }
  const auto rate = [](double amount) {
    return benchmark::Counter(amount, benchmark::Counter::kIsIterationInvariantRate);
  };
  state.counters["GFLOP/s"] = rate(op.flops / 1e9);
  state.counters["GB/s"] = rate(op.bytes / 1e9);
}

}  // namespace

int main(int argc, char** argv) {
  const auto backend = make_cpu_backend();
  std::vector<std::unique_ptr<RankClass>> classes;  // until the benchmarks have run
  for (const Case& c : cases()) {
    classes.push_back(std::make_unique<RankClass>(class_of(c, backend->traits())));
    const RankClass& rank_class = *classes.back();
    for (const auto& [kind, op] : largest_ops(rank_class))
      benchmark::RegisterBenchmark(fmt::format("{}/{}/{}", c.model, kind, shape_of(rank_class, op)).c_str(),
                                   [&, op = op](benchmark::State& state) { run_op(state, *backend, rank_class, op); })
          ->Unit(benchmark::kMicrosecond);
  }
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
  benchmark::RunSpecifiedBenchmarks();
}
