#include "engine/runtime/launcher.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <set>
#include <stdexcept>
#include <thread>

#include "topologies/base/error.h"

namespace dtbench {
namespace {

using namespace std::chrono_literals;

const std::vector<Seat> kSeats = {{0, Stream::compute}, {1, Stream::compute}, {1, Stream::communication}};

std::string error_of(Launcher& launcher, std::function<void(const Seat&)> job, const JobWatch& watch) {
  try {
    launcher.run(std::move(job), watch);
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

/// Holds threads until the test lets them go.
class Gate {
 public:
  void open() {
    const std::lock_guard lock(mutex_);
    open_ = true;
    opened_.notify_all();
  }
  void pass() {
    std::unique_lock lock(mutex_);
    opened_.wait(lock, [&] { return open_; });
  }

 private:
  std::mutex mutex_;
  std::condition_variable opened_;
  bool open_ = false;
};

TEST(Launcher, RunsEveryJobOnTheSameThreadOfEachSeat) {
  Launcher launcher(kSeats);
  std::mutex mutex;
  std::set<std::pair<int, std::thread::id>> seen;
  for (int i = 0; i < 3; ++i) {
    launcher.run(
        [&](const Seat& seat) {
          const std::lock_guard lock(mutex);
          seen.insert({seat.rank * kStreams + static_cast<int>(seat.stream), std::this_thread::get_id()});
        },
        {});
  }
  EXPECT_EQ(seen.size(), kSeats.size());
}

TEST(Launcher, ItsThreadsAndThoseTheyMakeTreatDenormalsAsZero) {
#if defined(__SSE2__)
  Launcher launcher(kSeats);
  const volatile float small = 1e-30f;
  std::atomic<int> zeros{0};
  launcher.run(
      [&](const Seat&) {
        zeros += small * 1e-10f == 0;
        std::thread([&] { zeros += small * 1e-10f == 0; }).join();
      },
      {});
  EXPECT_EQ(zeros, 2 * static_cast<int>(kSeats.size()));
  EXPECT_NE(small * 1e-10f, 0);
#endif
}

TEST(Launcher, RethrowsTheFirstErrorWithTheRankAndStopsTheOthersOnce) {
  Launcher launcher(kSeats);
  Gate gate;
  std::atomic<int> stops{0};
  const auto job = [&](const Seat& seat) {
    if (seat.rank == 0) throw Error(ExitCode::bad_input, {"--x", "7", "at most 6", "use 6"});
    gate.pass();
    throw std::runtime_error("a consequence");
  };
  const JobWatch watch{60, {}, {}, [&](int rank, const std::string&) {
                         EXPECT_EQ(rank, 0);
                         ++stops;
                         gate.open();
                       }};
  EXPECT_EQ(error_of(launcher, job, watch), "rank 0, --x: 7; expected at most 6 (use 6)");
  EXPECT_EQ(stops.load(), 1);
}

TEST(Launcher, TurnsForeignExceptionsIntoErrorsOfTheRun) {
  Launcher launcher(kSeats);
  const auto job = [&](const Seat& seat) {
    if (seat.rank == 0) throw std::runtime_error("odd");
  };
  EXPECT_EQ(error_of(launcher, job, {}), "rank 0: odd");
}

TEST(Launcher, RefusesJobsAfterAnError) {
  Launcher launcher(kSeats);
  error_of(launcher, [](const Seat&) { throw std::runtime_error("odd"); }, {});
  EXPECT_EQ(error_of(launcher, [](const Seat&) {}, {}),
            "engine session: a session that failed before (open a new one)");
}

TEST(Launcher, GivesUpThreadsThatGetStuckAndNamesThem) {
  const auto gate = std::make_shared<Gate>();
  const auto left = std::make_shared<std::atomic<bool>>(false);
  {
    Launcher launcher(kSeats);
    const auto job = [gate, left](const Seat& seat) {
      if (seat.rank != 0) return;
      gate->pass();
      *left = true;
    };
    const JobWatch watch{0.05, [] { return 5; }, [] { return Standstill{0, "in op 'x'"}; }, {}};
    EXPECT_EQ(error_of(launcher, job, watch),
              "rank 0: no progress in op 'x'; expected an operation to end within 0.05 s");
  }
  EXPECT_FALSE(*left);
  gate->open();
  while (!*left) std::this_thread::sleep_for(1ms);
}

TEST(Launcher, WaitsLongerThanTheLimitWhileSomethingGetsOn) {
  Launcher launcher(kSeats);
  std::atomic<std::int64_t> progress{0};
  const auto job = [&](const Seat& seat) {
    for (int i = 0; i < 20 && seat.rank == 0; ++i, ++progress) std::this_thread::sleep_for(10ms);
  };
  EXPECT_EQ(error_of(launcher, job, {0.1, [&] { return progress.load(); }, {}, {}}), "no error");
}

}  // namespace
}  // namespace dtbench
