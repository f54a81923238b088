#include "sim/flow/sim_clock.h"

#include <gtest/gtest.h>

#include <random>

#include "sim/flow/isolated_run.h"
#include "sim/flow/settings.h"
#include "topologies/base/error.h"

namespace dtbench {
namespace {

// Each simulation in a process of its own, as the library wants it.
std::vector<double> simulated(const std::function<void(SimClock&, std::vector<double>&)>& set_up) {
  return isolated_run(
      [&] {
        std::vector<double> dates;
        SimClock clock;
        set_up(clock, dates);
        clock.run();
        return dates;
      },
      60);
}

TEST(SimClock, TakesExactlyDelayPlusBytesOverBandwidth) {
  struct Case {
    double delay, bytes, bandwidth;
  };
  for (const Case& c : {Case{2e-6, 1e3, 100e9}, Case{0, 1, 1e9}, Case{50e-6, 1e9, 100e9}, Case{1, 1e6, 25e9}}) {
    const std::vector<double> dates = simulated([&](SimClock& clock, std::vector<double>& ended) {
      const int route = clock.add_route({{clock.add_link(c.bandwidth), 1}});
      clock.after(c.delay, [&clock, &ended, route, c] {
        clock.start_flow(route, c.bytes, [&] { ended.push_back(clock.now()); });
      });
    });
    ASSERT_EQ(dates.size(), 1u);
    EXPECT_NEAR(dates[0] / (c.delay + c.bytes / c.bandwidth), 1, 1e-12) << c.bytes;
  }
}

TEST(SimClock, SharesALinkEquallyWhateverTheRestOfTheRoutes) {
  const std::vector<double> dates = simulated([](SimClock& clock, std::vector<double>& ended) {
    const int shared = clock.add_link(100e9), wide = clock.add_link(1e15);
    const int short_route = clock.add_route({{shared, 1}}), long_route = clock.add_route({{shared, 1}, {wide, 1}});
    for (const int route : {short_route, long_route})
      clock.start_flow(route, 1e9, [&] { ended.push_back(clock.now()); });
  });
  EXPECT_EQ(dates.size(), 2u);
  for (const double date : dates) EXPECT_NEAR(date, 0.02, 1e-12);
}

TEST(SimClock, GivesMaxMinShares) {
  // A crosses 1 (100 GB/s) and 2 (30 GB/s), B crosses 1, C crosses 2. Link 2 is the bottleneck: A and C get 15 each,
  // and B the 85 that A leaves of link 1.
  const std::vector<double> dates = simulated([](SimClock& clock, std::vector<double>& ended) {
    const int one = clock.add_link(100e9), two = clock.add_link(30e9);
    ended.resize(3);
    const std::vector<std::vector<LinkUse>> routes = {{{one, 1}, {two, 1}}, {{one, 1}}, {{two, 1}}};
    const std::vector<double> bytes = {15e6, 85e6, 15e6};  // all end after 1 ms
    for (int f = 0; f < 3; ++f)
      clock.start_flow(clock.add_route(routes[f]), bytes[f], [&clock, &ended, f] { ended[f] = clock.now(); });
  });
  for (const double date : dates) EXPECT_NEAR(date, 1e-3, 1e-12);
}

TEST(SimClock, CountsALinkAsOftenAsTheRouteSays) {
  // Weight 3 beside weight 1 on 100 GB/s: both get rate r with 4 r = 100.
  const std::vector<double> dates = simulated([](SimClock& clock, std::vector<double>& ended) {
    const int link = clock.add_link(100e9);
    ended.resize(2);
    for (const int times : {3, 1})
      clock.start_flow(clock.add_route({{link, times}}), 1e9,
                       [&clock, &ended, times] { ended[times == 3 ? 0 : 1] = clock.now(); });
  });
  EXPECT_NEAR(dates.at(0), 0.04, 1e-12);
  EXPECT_NEAR(dates.at(1), 0.04, 1e-12);
}

TEST(SimClock, CallsEqualTimesInTheOrderAsked) {
  std::mt19937 random(20);
  const std::vector<double> order = simulated([&](SimClock& clock, std::vector<double>& called) {
    for (int i = 0; i < 200; ++i)
      clock.after(1e-3 * double(random() % 3),
                  [&called, i, &clock] { called.push_back(1000 * clock.now() + i * 1e-6); });
  });
  ASSERT_EQ(order.size(), 200u) << "seed 20";
  EXPECT_TRUE(std::is_sorted(order.begin(), order.end())) << "seed 20";
}

TEST(SimClock, NeverCallsBackBeforeReturning) {
  const std::vector<double> seen = simulated([](SimClock& clock, std::vector<double>& marks) {
    const int route = clock.add_route({{clock.add_link(1e9), 1}});
    clock.after(0, [&, route] {
      clock.start_flow(route, 0, [&marks] { marks.push_back(2); });  // nothing to send
      clock.after(0, [&marks] { marks.push_back(3); });
      marks.push_back(1);
    });
  });
  EXPECT_EQ(seen, (std::vector<double>{1, 2, 3}));
}

TEST(SimClock, KeepsAThousandStepsExact) {
  const std::vector<double> dates = simulated([](SimClock& clock, std::vector<double>& ended) {
    const int route = clock.add_route({{clock.add_link(100e9), 1}});
    auto step = std::make_shared<std::function<void(int)>>();
    *step = [&clock, &ended, route, step](int left) {
      if (left == 0) return ended.push_back(clock.now());
      clock.after(2e-6,
                  [&clock, route, step, left] { clock.start_flow(route, 1e3, [step, left] { (*step)(left - 1); }); });
    };
    (*step)(1000);
  });
  EXPECT_NEAR(dates.at(0) / (1000 * (2e-6 + 1e-8)), 1, 1e-9);
}

TEST(SimClock, ExistsOnceInAProcess) {
  EXPECT_THROW(isolated_run(
                   [] {
                     SimClock first;
                     SimClock second;
                     return std::vector<double>{};
                   },
                   60),
               Error);
}

TEST(SimClock, MakesAnAssertionOfTheLibraryAnError) {
  try {
    simulated([](SimClock& clock, std::vector<double>&) {
      const int link = clock.add_link(1e9);
      clock.run();
      clock.add_route({{link, 1}});  // too late: the platform is sealed
      clock.run();
    });
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::run_failed);
  }
}

TEST(SimGridSettings, NameEachOnce) {
  for (std::size_t a = 0; a < kSimGridSettings.size(); ++a)
    for (std::size_t b = a + 1; b < kSimGridSettings.size(); ++b)
      EXPECT_NE(kSimGridSettings[a].name, kSimGridSettings[b].name);
}

}  // namespace
}  // namespace dtbench
