// Copies of a prefix, whatever its type.
#include <cstring>

#include "engine/cpu/kernels/arrays.h"
#include "engine/cpu/kernels/kernels.h"

namespace dtbench::cpu {

namespace {

std::int64_t bytes_of(const Buffer& buffer) { return buffer.elements() * dtbench::bytes_of(buffer.dtype); }

std::int64_t byte_grain() { return kGrain * static_cast<std::int64_t>(sizeof(float)); }

}  // namespace

std::unique_ptr<Kernel> make_slice_rows(const KernelRequest& request, const CoreTeam& team) {
  return make_kernel([&team, table = static_cast<const std::byte*>(request.inputs[0].data),
                      y = static_cast<std::byte*>(request.outputs[0].data), bytes = bytes_of(request.outputs[0])] {
    team.split(bytes, byte_grain(), [&](const Piece& piece) {
      std::memcpy(y + piece.first, table + piece.first, static_cast<std::size_t>(piece.last - piece.first));
    });
  });
}

std::unique_ptr<Kernel> make_slice_rows_grad(const KernelRequest& request, const CoreTeam& team) {
  return make_kernel([&team, dy = static_cast<const std::byte*>(request.inputs[0].data),
                      table = static_cast<std::byte*>(request.outputs[0].data), copied = bytes_of(request.inputs[0]),
                      bytes = bytes_of(request.outputs[0])] {
    team.split(bytes, byte_grain(), [&](const Piece& piece) {
      const std::int64_t end_of_copy = std::clamp(copied, piece.first, piece.last);
      std::memcpy(table + piece.first, dy + piece.first, static_cast<std::size_t>(end_of_copy - piece.first));
      std::memset(table + end_of_copy, 0, static_cast<std::size_t>(piece.last - end_of_copy));
    });
  });
}

}  // namespace dtbench::cpu
