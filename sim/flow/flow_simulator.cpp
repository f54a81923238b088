#include "sim/flow/flow_simulator.h"

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "sim/flow/flow_plan.h"
#include "sim/flow/flow_player.h"
#include "sim/flow/isolated_run.h"
#include "sim/flow/link_capacities.h"
#include "sim/flow/message_level.h"
#include "sim/flow/sim_clock.h"
#include "sim/model/cost_model.h"
#include "sim/model/step_walk.h"
#include "topologies/base/error.h"

namespace dtbench {
namespace {

/// The walk's clock on a SimClock.
class PlayedClock : public WalkClock {
 public:
  PlayedClock(SimClock& clock, CollectivePlayer& player) : clock_(clock), player_(player) {}
  double now() const override { return clock_.now(); }
  void after(double seconds, std::function<void()> then) override { clock_.after(seconds, std::move(then)); }
  void start_collective(const CollectiveStart& start, std::function<void()> done) override {
    player_.play(start, std::move(done));
  }

 private:
  SimClock& clock_;
  CollectivePlayer& player_;
};

StepTrace play(const WalkProgram& program, const WalkTimes& times, SimClock& clock, CollectivePlayer& player) {
  PlayedClock played(clock, player);
  StepWalk walk(program, times, played);
  walk.start();
  clock.run();
  if (!walk.finished())
    throw Error(ExitCode::run_failed,
                {"simulation", "a plan whose operations wait for each other", "a sound plan", ""});
  return walk.trace("");
}

// A trace as numbers: the period, then start and end of each op of each class. Everything else is known to the parent.
std::vector<double> to_numbers(const StepTrace& trace) {
  std::vector<double> numbers{trace.step_seconds};
  for (const RankTrace& rank : trace.ranks)
    for (const OpSpan& span : rank.spans) numbers.insert(numbers.end(), {span.start_seconds, span.end_seconds});
  return numbers;
}

StepTrace from_numbers(const std::vector<double>& numbers, const StepPlan& plan, std::string runner) {
  std::size_t next = 0;
  StepTrace trace{std::move(runner), numbers.at(next++), {}};
  for (std::size_t c = 0; c < plan.classes.size(); ++c) {
    const RankClass& cls = plan.classes[c];
    RankTrace& rank = trace.ranks.emplace_back(RankTrace{cls.ranks.front().first, static_cast<int>(c), {}});
    for (std::size_t op = 0; op < cls.ops.size(); ++op, next += 2)
      rank.spans.push_back({static_cast<OpId>(op), numbers.at(next), numbers.at(next + 1)});
  }
  DTBENCH_CHECK(next == numbers.size());
  return trace;
}

class FlowSimulator : public StepRunner {
 public:
  FlowSimulator(const Topology& topology, const Calibration& calibration, FlowOptions options)
      : topology_(topology), calibration_(calibration), options_(std::move(options)) {}

  std::string name() const override { return options_.message_level ? "message" : "flow"; }

  std::vector<StepTrace> run(const StepPlan& plan, int) override {
    check(plan);
    CapacityTable capacities(topology_);
    const WalkProgram program(plan);
    const WalkTimes times = walk_times(plan, topology_, calibration_, capacities);
    const PricedCollectives prices = price(plan, capacities);
    const auto simulate = options_.message_level ? messages(program, times, prices) : flows(program, times, prices);
    return {from_numbers(isolated_run(simulate, options_.time_limit_seconds), plan, name())};
  }

 private:
  using Work = std::function<std::vector<double>()>;

  void check(const StepPlan& plan) const {
    if (plan.ranks > topology_.devices())
      throw_bad_input({topology_.spec, fmt::format("a plan of {} ranks", plan.ranks),
                       fmt::format("at most {} devices", topology_.devices()), ""});
    if (options_.message_level) require_message_level(plan.ranks);
  }

  PricedCollectives price(const StepPlan& plan, CapacityTable& capacities) const {
    PricedCollectives prices;
    for (const RankClass& cls : plan.classes)
      for (const PlanOp& op : cls.ops)
        if (op.collective) prices[&op] = collective_phases(plan, *op.collective, topology_, calibration_, capacities);
    return prices;
  }

  // What is built here, in the parent, cannot fail in the child.
  Work flows(const WalkProgram& program, const WalkTimes& times, const PricedCollectives& prices) const {
    auto plan = std::make_shared<const FlowPlan>(make_flow_plan(program.plan(), topology_, calibration_, options_));
    return [plan, &program, &times, &prices] {
      SimClock clock;
      FlowPlayer player(*plan, prices, clock);
      return to_numbers(play(program, times, clock, player));
    };
  }

  Work messages(const WalkProgram& program, const WalkTimes& times, const PricedCollectives& prices) const {
    std::vector<double> capacities;
    if (!prices.empty())
      capacities = link_capacities(TopologyGraph(topology_), topology_, calibration_, options_.degraded);
    return [this, capacities, &program, &times, &prices] {
      SimClock clock;
      MessagePlayer player(program.plan(), topology_, capacities, prices, clock);
      return to_numbers(play(program, times, clock, player));
    };
  }

  Topology topology_;
  Calibration calibration_;
  FlowOptions options_;
};

}  // namespace

void require_message_level(int ranks) {
  if (ranks > kMaxMessageLevelRanks)
    throw_bad_input({"--fidelity message", fmt::format("{} ranks", ranks),
                     fmt::format("at most {}", kMaxMessageLevelRanks),
                     "--fidelity flow gives the same times for any number"});
}

std::unique_ptr<StepRunner> make_flow_simulator(const Topology& topology, const Calibration& calibration,
                                                FlowOptions options) {
  return std::make_unique<FlowSimulator>(topology, calibration, std::move(options));
}

}  // namespace dtbench
