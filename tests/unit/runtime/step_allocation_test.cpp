// A step allocates nothing: the program-wide `operator new` is counted while steps run. (A program of its own, so that
// the other tests keep the allocator that sanitizers watch.)
#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <new>

#include "engine/runtime/engine_session.h"
#include "tests/support/fake_backend.h"
#include "tests/support/layered_plan.h"

namespace {
std::atomic<std::int64_t> allocations{0};
}

[[gnu::noinline]] void* operator new(std::size_t bytes) {
  allocations.fetch_add(1, std::memory_order_relaxed);
  if (void* memory = std::malloc(bytes == 0 ? 1 : bytes)) return memory;
  throw std::bad_alloc();
}
[[gnu::noinline]] void operator delete(void* memory) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }

namespace dtbench {
namespace {

std::int64_t allocations_of(EngineSession& session, int steps) {
  const std::int64_t before = allocations;
  session.run(steps, false);
  return allocations - before;
}

TEST(EngineSession, AllocatesAsOftenForManyStepsAsForOne) {
  const FakeBackend backend;
  const auto session = open_session(backend, layered_plan({2, 3, 100, 4}), {});
  session->run(1, false);
  const std::int64_t once = allocations_of(*session, 1);
  EXPECT_GT(once, 0);
  EXPECT_EQ(allocations_of(*session, 200), once);
}

}  // namespace
}  // namespace dtbench
