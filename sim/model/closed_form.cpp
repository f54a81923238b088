#include "sim/model/closed_form.h"

#include <algorithm>
#include <functional>
#include <utility>
#include <vector>

#include "topologies/base/error.h"

namespace dtbench {

namespace {

/// Time that passes only by jumping from callback to callback.
class InstantClock : public WalkClock {
 public:
  explicit InstantClock(const WalkTimes& times) : times_(times) { heap_.reserve(32); }

  double now() const override { return now_; }

  void after(double seconds, std::function<void()> then) override {
    heap_.push_back({now_ + seconds, asked_++, std::move(then)});
    std::push_heap(heap_.begin(), heap_.end(), later);
  }

  void start_collective(const CollectiveStart& start, std::function<void()> done) override {
    after(times_.op_seconds[start.classes->front()][start.op_id], std::move(done));
  }

  void run(StepWalk& walk) {
    walk.start();
    while (!walk.finished()) {
      DTBENCH_CHECK(!heap_.empty());
      std::pop_heap(heap_.begin(), heap_.end(), later);
      const Event event = std::move(heap_.back());
      heap_.pop_back();
      now_ = event.seconds;
      event.then();
    }
  }

 private:
  struct Event {
    double seconds = 0;
    std::int64_t asked = 0;
    std::function<void()> then;
  };
  static bool later(const Event& a, const Event& b) {
    return a.seconds != b.seconds ? a.seconds > b.seconds : a.asked > b.asked;
  }

  const WalkTimes& times_;
  std::vector<Event> heap_;
  double now_ = 0;
  std::int64_t asked_ = 0;
};

}  // namespace

double closed_form_step_seconds(const WalkProgram& program, const WalkTimes& times) {
  InstantClock clock(times);
  StepWalk walk(program, times, clock);
  clock.run(walk);
  return walk.period();
}

StepTrace closed_form_trace(const WalkProgram& program, const WalkTimes& times) {
  InstantClock clock(times);
  StepWalk walk(program, times, clock);
  clock.run(walk);
  return walk.trace("closed-form");
}

}  // namespace dtbench
