// What the engine itself costs: all-reduce between two pinned threads beside a plain copy, the executor's work per
// operation, and handing over from one stream to the other.
#include <benchmark/benchmark.h>

#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "engine/cpu/cpu_backend.h"
#include "engine/runtime/collective_timing.h"
#include "engine/runtime/engine_session.h"
#include "engine/runtime/function_kernel.h"

namespace {

using namespace dtbench;

/// Devices of the CPU back end, but kernels that do nothing.
class IdleDevice : public Device {
 public:
  explicit IdleDevice(std::unique_ptr<Device> inner) : inner_(std::move(inner)) {}
  void enter(Stream stream) override { inner_->enter(stream); }
  std::byte* allocate(std::int64_t bytes) override { return inner_->allocate(bytes); }
  std::unique_ptr<Kernel> prepare(const KernelRequest&) override {
    return make_kernel([] {});
  }

 private:
  std::unique_ptr<Device> inner_;
};

class IdleBackend : public Backend {
 public:
  BackendTraits traits() const override { return cpu_->traits(); }
  int device_count(int threads) const override { return cpu_->device_count(threads); }
  std::unique_ptr<Device> open_device(int index, int threads) const override {
    return std::make_unique<IdleDevice>(cpu_->open_device(index, threads));
  }
  std::unique_ptr<Communicator> make_communicator(int members, double limit) const override {
    return cpu_->make_communicator(members, limit);
  }

 private:
  std::unique_ptr<Backend> cpu_ = make_cpu_backend();
};

PlanOp idle_op(int number, Stream stream) {
  PlanOp op;
  op.name = "op" + std::to_string(number);
  op.kind = "relu";
  op.stream = stream;
  op.outputs = {0};
  if (number > 0) op.after = {{number - 1}};
  return op;
}

// One rank and `ops` operations, each after the one before; every other one on the communication stream if `alternate`.
StepPlan chain(int ops, bool alternate) {
  StepPlan plan;
  RankClass rank_class;
  rank_class.ranks = {{0, 1, 1}};
  rank_class.tensors = {{"x", {16}}};
  rank_class.memory = {{{0, 0, 64, 1}}, 64, {0, 0, 0, 64, 0, 64}};
  for (int i = 0; i < ops; ++i)
    rank_class.ops.push_back(idle_op(i, alternate && i % 2 == 1 ? Stream::communication : Stream::compute));
  rank_class.ops[0].after = {{ops - 1, 1}};
  plan.classes = {rank_class};
  return plan;
}

void run_chain(benchmark::State& state, bool alternate, bool trace) {
  constexpr int kOps = 100, kSteps = 50;
  const auto session = open_session(IdleBackend(), chain(kOps, alternate), {});
  session->run(kSteps, trace);
  for (auto _ : state) session->run(kSteps, trace);
  state.counters["per_op"] = benchmark::Counter(static_cast<double>(state.iterations()) * kOps * kSteps,
                                                benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}

void run_all_reduce(benchmark::State& state) {
  const auto backend = make_cpu_backend();
  CollectiveTimingRequest request{{1, 2}, "ring"};
  request.bytes = {state.range(0)};
  if (backend->device_count(1) < 2) return state.SkipWithError("needs two cores");
  for (auto _ : state) state.SetIterationTime(time_collective(*backend, request).front().seconds);
}

void run_copy(benchmark::State& state) {
  const auto bytes = static_cast<std::size_t>(state.range(0));
  std::vector<char> from(bytes, 1), to(bytes);
  for (auto _ : state) {
    std::memcpy(to.data(), from.data(), bytes);
    benchmark::ClobberMemory();
  }
}

constexpr std::int64_t kSizes[] = {8, 64 << 10, 1 << 20, 64 << 20};

}  // namespace

int main(int argc, char** argv) {
  for (const std::int64_t bytes : kSizes) {
    benchmark::RegisterBenchmark("all_reduce_2_ranks", run_all_reduce)->Arg(bytes)->UseManualTime()->Iterations(5);
    benchmark::RegisterBenchmark("memcpy", run_copy)->Arg(bytes)->UseRealTime();
  }
  benchmark::RegisterBenchmark("executor/one_stream", run_chain, false, false)->UseRealTime();
  benchmark::RegisterBenchmark("executor/one_stream_traced", run_chain, false, true)->UseRealTime();
  benchmark::RegisterBenchmark("executor/hand_over", run_chain, true, false)->UseRealTime();
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
}
