#include "engine/runtime/collective_timing.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>

#include "engine/collectives/algorithm.h"
#include "engine/runtime/launcher.h"
#include "topologies/base/error.h"

namespace dtbench {
namespace {

using Clock = std::chrono::steady_clock;

constexpr double kJobLimitSeconds = 600;  // beyond any wait limit: members time out first and name who is missing

/// Shared with the threads, which may outlive the measurement if one gets stuck.
struct Rig {
  std::vector<std::unique_ptr<Device>> devices;
  std::vector<std::byte*> memory;
  std::unique_ptr<Communicator> communicator;
  std::unique_ptr<Collective> collective;
  std::vector<double> seconds;  ///< of a sample, by member
};

class CollectiveTimer {
 public:
  CollectiveTimer(const Backend& backend, const CollectiveTimingRequest& request)
      : request_(request), rig_(std::make_shared<Rig>()) {
    const int members = request.shape.ranks();
    std::vector<Seat> seats;
    for (int m = 0; m < members; ++m) {
      rig_->devices.push_back(backend.open_device(m, request.threads_per_device));
      seats.push_back({m, Stream::compute});
      seats.push_back({m, Stream::communication});
    }
    rig_->memory.resize(static_cast<std::size_t>(members));
    rig_->seconds.resize(static_cast<std::size_t>(members));
    rig_->communicator = backend.make_communicator(members, request.wait_limit_seconds);
    launcher_ = std::make_unique<Launcher>(std::move(seats));
    allocate();
  }

  CollectiveTiming time(std::int64_t bytes) {
    bind(bytes);
    sample(2);
    const double single = sample(3);
    const double calls = std::clamp(request_.seconds_per_sample / std::max(single, 1e-9), 1.0, 1e5);
    CollectiveTiming timing{bytes, 0, {}};
    for (int i = 0; i < request_.repetitions; ++i) timing.samples.push_back(sample(static_cast<int>(calls)));
    std::sort(timing.samples.begin(), timing.samples.end());
    timing.seconds = timing.samples[timing.samples.size() / 2];
    return timing;
  }

 private:
  // As a session does it: the compute thread touches the memory first, the communication thread uses it.
  void allocate() {
    const std::int64_t largest = *std::max_element(request_.bytes.begin(), request_.bytes.end());
    const auto rig = rig_;
    on_seats([rig](const Seat& seat) { rig->devices[static_cast<std::size_t>(seat.rank)]->enter(seat.stream); });
    on_seats([rig, largest](const Seat& seat) {
      const auto member = static_cast<std::size_t>(seat.rank);
      if (seat.stream == Stream::compute)
        rig->memory[member] = rig->devices[member]->allocate(std::max<std::int64_t>(largest, 4));
    });
  }

  void bind(std::int64_t bytes) {
    std::vector<Buffer> buffers;
    for (std::byte* memory : rig_->memory) buffers.push_back({memory, {bytes / 4}, DType::float32});
    const Schedule schedule = collective_algorithm(request_.algorithm).schedule(request_.kind, request_.shape);
    rig_->collective = rig_->communicator->bind(schedule, std::move(buffers));
  }

  // Seconds per call of `calls` back to back, on the slowest member. One call goes before the clock: members start at
  // different times.
  double sample(int calls) {
    on_seats([rig = rig_, calls](const Seat& seat) {
      if (seat.stream != Stream::communication) return;
      rig->collective->run(seat.rank);
      const auto start = Clock::now();
      for (int i = 0; i < calls; ++i) rig->collective->run(seat.rank);
      const std::chrono::duration<double> took = Clock::now() - start;
      rig->seconds[static_cast<std::size_t>(seat.rank)] = took.count();
    });
    return *std::max_element(rig_->seconds.begin(), rig_->seconds.end()) / calls;
  }

  void on_seats(std::function<void(const Seat&)> job) {
    const auto stop = [rig = rig_](int member, const std::string& reason) { rig->communicator->abort(member, reason); };
    launcher_->run(std::move(job), {kJobLimitSeconds, {}, {}, stop});
  }

  const CollectiveTimingRequest& request_;
  std::shared_ptr<Rig> rig_;
  std::unique_ptr<Launcher> launcher_;
};

void check(const Backend& backend, const CollectiveTimingRequest& request) {
  const int devices = backend.device_count(request.threads_per_device);
  if (request.shape.ranks() > devices)
    throw_bad_input({"collective timing", fmt::format("{} members", request.shape.ranks()),
                     fmt::format("at most {} devices of {} threads", devices, request.threads_per_device), ""});
  for (const std::int64_t bytes : request.bytes)
    if (bytes < 0) throw_bad_input({"collective timing", fmt::format("{} bytes", bytes), "0 or more bytes", ""});
  DTBENCH_CHECK(request.repetitions >= 1 && !request.bytes.empty());
}

}  // namespace

std::vector<CollectiveTiming> time_collective(const Backend& backend, const CollectiveTimingRequest& request) {
  check(backend, request);
  CollectiveTimer timer(backend, request);
  std::vector<CollectiveTiming> timings;
  for (const std::int64_t bytes : request.bytes) timings.push_back(timer.time(bytes));
  return timings;
}

}  // namespace dtbench
