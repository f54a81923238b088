#include "engine/cpu/cpu_device.h"

#include <fmt/format.h>
#include <sys/mman.h>

#include <cstring>

#include "engine/cpu/kernel_table.h"
#include "topologies/base/error.h"

namespace dtbench {

namespace {

constexpr std::int64_t kCacheLine = 64;
constexpr std::int64_t kHugePage = 2 << 20;

}  // namespace

void CpuDevice::enter(Stream stream) {
  if (stream == Stream::compute) {
    team_.lead();
  } else {
    team_.accompany();
  }
}

std::byte* CpuDevice::allocate(std::int64_t bytes) {
  const std::int64_t alignment = bytes >= kHugePage ? kHugePage : kCacheLine;
  const std::int64_t size = (bytes + alignment - 1) / alignment * alignment;
  auto* memory = static_cast<std::byte*>(
      std::aligned_alloc(static_cast<std::size_t>(alignment), static_cast<std::size_t>(std::max(size, alignment))));
  if (memory == nullptr) {
    throw Error(ExitCode::run_failed, {.where = "CPU device", .found = fmt::format("no memory for {} bytes", bytes)});
  }
  memory_.emplace_back(memory);
  // Advice only: without huge pages everything works, with more misses of the address translation.
  if (alignment == kHugePage) madvise(memory, static_cast<std::size_t>(size), MADV_HUGEPAGE);
  team_.split(size, alignment, [memory](const Piece& piece) {
    std::memset(memory + piece.first, 0, static_cast<std::size_t>(piece.last - piece.first));
  });
  return memory;
}

std::unique_ptr<Kernel> CpuDevice::prepare(const KernelRequest& request) { return make_cpu_kernel(request, team_); }

}  // namespace dtbench
