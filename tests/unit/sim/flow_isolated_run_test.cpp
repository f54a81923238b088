#include "sim/flow/isolated_run.h"

#include <gtest/gtest.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "topologies/base/error.h"

namespace dtbench {
namespace {

constexpr double kEnough = 60;

Error error_of(const std::function<std::vector<double>()>& work, double limit_seconds = kEnough) {
  try {
    isolated_run(work, limit_seconds);
  } catch (const Error& error) {
    return error;
  }
  ADD_FAILURE() << "no error";
  return Error(ExitCode::good, {});
}

TEST(IsolatedRun, ReturnsTheNumbersOfTheChild) {
  EXPECT_EQ(isolated_run(
                [] {
                  return std::vector<double>{1, -0.5, 1e300};
                },
                kEnough),
            (std::vector<double>{1, -0.5, 1e300}));
  EXPECT_TRUE(isolated_run([] { return std::vector<double>{}; }, kEnough).empty());
}

TEST(IsolatedRun, PassesRecordsLargerThanAPipe) {
  const std::vector<double> many(1'000'000, 0.25);
  EXPECT_EQ(isolated_run([&] { return many; }, kEnough), many);
}

TEST(IsolatedRun, LeavesTheParentsMemoryAlone) {
  int value = 1;
  isolated_run(
      [&] {
        value = 2;
        return std::vector<double>{};
      },
      kEnough);
  EXPECT_EQ(value, 1);
}

TEST(IsolatedRun, RethrowsAnErrorWithAllItsParts) {
  const Error error = error_of([]() -> std::vector<double> { throw_bad_input({"--here", "this", "that", "hint"}); });
  EXPECT_EQ(error.code(), ExitCode::bad_input);
  EXPECT_EQ(error.parts().where, "--here");
  EXPECT_EQ(error.parts().found, "this");
  EXPECT_EQ(error.parts().expected, "that");
  EXPECT_EQ(error.parts().hint, "hint");
}

TEST(IsolatedRun, MakesAnyOtherExceptionAnError) {
  const Error error = error_of([]() -> std::vector<double> { throw std::out_of_range("too far"); });
  EXPECT_EQ(error.code(), ExitCode::run_failed);
  EXPECT_NE(std::string(error.what()).find("too far"), std::string::npos) << error.what();
}

TEST(IsolatedRun, MakesAnAbortAnErrorThatQuotesTheLastWords) {
  const Error error = error_of([]() -> std::vector<double> {
    std::fputs("first line\nassertion of the library failed\n", stderr);
    std::abort();
  });
  EXPECT_EQ(error.code(), ExitCode::run_failed);
  EXPECT_NE(std::string(error.what()).find("assertion of the library failed"), std::string::npos) << error.what();
  EXPECT_NE(std::string(error.what()).find("signal 6"), std::string::npos) << error.what();
}

// Warnings of the library and reports of sanitizers must not get lost.
TEST(IsolatedRun, PassesOnWhatASuccessfulChildSays) {
  testing::internal::CaptureStderr();
  isolated_run(
      [] {
        std::fputs("a warning\n", stderr);
        return std::vector<double>{};
      },
      kEnough);
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "a warning\n");
}

TEST(IsolatedRun, MakesAnEarlyExitAnError) {
  const Error error = error_of([]() -> std::vector<double> { std::_Exit(7); });
  EXPECT_EQ(error.code(), ExitCode::run_failed);
  EXPECT_NE(std::string(error.what()).find("status 7"), std::string::npos) << error.what();
}

TEST(IsolatedRun, NoticesTheEndWhenTheSystemReapsChildren) {
  const auto before = std::signal(SIGCHLD, SIG_IGN);
  EXPECT_EQ(isolated_run([] { return std::vector<double>{4}; }, kEnough), std::vector<double>{4});
  const Error error = error_of([]() -> std::vector<double> { std::_Exit(7); });
  EXPECT_EQ(error.code(), ExitCode::run_failed);
  EXPECT_EQ(std::string(error.what()).find("not finished"), std::string::npos) << error.what();
  std::signal(SIGCHLD, before);
}

TEST(IsolatedRun, EndsAChildThatHangs) {
  const Error error = error_of(
      []() -> std::vector<double> {
        for (;;) std::this_thread::sleep_for(std::chrono::seconds(1));
      },
      0.1);
  EXPECT_EQ(error.code(), ExitCode::run_failed);
  EXPECT_NE(std::string(error.what()).find("0.1 s"), std::string::npos) << error.what();
}

TEST(IsolatedRun, GivesEachThreadItsOwnResult) {
#ifdef __SANITIZE_ADDRESS__
  // g++ 12's AddressSanitizer does not hold its allocator's locks over fork(): a child born while another thread
  // allocates waits for ever. glibc's own allocator does, so that the program itself is not concerned.
  GTEST_SKIP() << "AddressSanitizer's allocator is not safe across fork() in a program with threads";
#endif
  std::vector<std::thread> threads;
  std::vector<double> results(8);
  for (int t = 0; t < 8; ++t)
    threads.emplace_back([t, &results] {
      for (int i = 0; i < 5; ++i)
        results[t] += isolated_run([t] { return std::vector<double>{double(t)}; }, kEnough).at(0);
    });
  for (std::thread& thread : threads) thread.join();
  for (int t = 0; t < 8; ++t) EXPECT_EQ(results[t], 5 * t);
}

}  // namespace
}  // namespace dtbench
