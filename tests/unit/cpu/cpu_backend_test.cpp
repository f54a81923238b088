#include "engine/cpu/cpu_backend.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <thread>

#include "engine/cpu/affinity.h"
#include "engine/cpu/host_probe.h"
#include "topologies/base/error.h"

namespace dtbench {
namespace {

using ::testing::HasSubstr;

TEST(CpuBackend, HasAsManyDevicesAsWholeGroupsOfCores) {
  const auto backend = make_cpu_backend();
  const int cores = make_host_probe()->facts().cores;
  EXPECT_EQ(backend->device_count(1), cores);
  EXPECT_EQ(backend->device_count(cores), 1);
  EXPECT_EQ(backend->device_count(cores + 1), 0);
  EXPECT_EQ(backend->device_count(0), 0);
}

TEST(CpuBackend, RefusesDevicesItDoesNotHave) {
  const auto backend = make_cpu_backend();
  const int cores = make_host_probe()->facts().cores;
  for (const int index : {-1, cores}) {
    try {
      backend->open_device(index, 1);
      FAIL() << "no error";
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ExitCode::bad_input);
      EXPECT_THAT(error.what(), HasSubstr("number " + std::to_string(index)));
      EXPECT_THAT(error.what(), HasSubstr("0 to " + std::to_string(cores - 1)));
    }
  }
}

TEST(CpuBackend, GivesEachDeviceCoresOfItsOwn) {
  const auto backend = make_cpu_backend();
  const std::vector<int> cores = make_host_probe()->facts().core_cpus;
  for (int index = 0; index < backend->device_count(1); ++index) {
    const auto device = backend->open_device(index, 1);
    for (const Stream stream : {Stream::compute, Stream::communication, Stream::host}) {
      std::jthread([&] {
        device->enter(stream);
        EXPECT_EQ(cpus_of_this_thread(), std::vector{cores[static_cast<std::size_t>(index)]});
      }).join();
    }
  }
}

TEST(CpuDevice, AllocatesAlignedZeroedMemory) {
  const auto device = make_cpu_backend()->open_device(0, 1);
  for (const std::int64_t bytes : {0, 1, 100, 4096, (2 << 20) + 4, 10'000'000}) {
    const std::byte* memory = device->allocate(bytes);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(memory) % 64, 0U) << bytes;
    for (std::int64_t i = 0; i < bytes; ++i) ASSERT_EQ(memory[i], std::byte{0}) << bytes << " at " << i;
  }
}

TEST(CpuDevice, SaysWhenThereIsNoMemory) {
#ifdef __SANITIZE_ADDRESS__
  GTEST_SKIP() << "AddressSanitizer ends the program instead";
#endif
  const auto device = make_cpu_backend()->open_device(0, 1);
  EXPECT_THROW(device->allocate(std::int64_t{1} << 60), Error);
}

}  // namespace
}  // namespace dtbench
