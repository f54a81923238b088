#include "engine/runtime/collective_program.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "engine/runtime/visit_dtype.h"
#include "topologies/base/error.h"

namespace dtbench {
namespace {

template <typename Real>
void add_into(std::byte* to, const std::byte* from, std::int64_t elements) {
  Real* __restrict sum = reinterpret_cast<Real*>(to);
  const Real* __restrict term = reinterpret_cast<const Real*>(from);
  for (std::int64_t i = 0; i < elements; ++i) sum[i] = sum[i] + term[i];  // of 16 bits: in float, rounded each hop
}

void check_buffers(const Schedule& schedule, const std::vector<Buffer>& buffers) {
  DTBENCH_CHECK(static_cast<int>(buffers.size()) == schedule.ranks);
  for (const Buffer& buffer : buffers) {
    if (buffer.dtype != buffers[0].dtype || buffer.elements() != buffers[0].elements())
      throw_bad_input({"collective",
                       fmt::format("buffers of {} {} and {} {}", buffers[0].elements(), name_of(buffers[0].dtype),
                                   buffer.elements(), name_of(buffer.dtype)),
                       "the same number and type of elements on every member", ""});
  }
}

void check_reducible(DType dtype) {
  if (dtype == DType::int32)
    throw_bad_input({"collective", fmt::format("a sum of {}", name_of(dtype)), "a floating-point type", ""});
}

ChunkMove move_of(const Transfer& transfer, const Schedule& schedule, const std::vector<Buffer>& buffers) {
  const Buffer& to = buffers[static_cast<std::size_t>(transfer.to)];
  const Buffer& from = buffers[static_cast<std::size_t>(transfer.from)];
  const ChunkRange range = chunk_range(to.elements(), schedule.chunks, transfer.chunk);
  const std::int64_t offset = range.first * bytes_of(to.dtype);
  if (transfer.reduce) check_reducible(to.dtype);
  return {static_cast<std::byte*>(to.data) + offset, static_cast<const std::byte*>(from.data) + offset, range.count,
          to.dtype, transfer.reduce};
}

void add_unique(std::vector<int>& members, int member) {
  if (std::find(members.begin(), members.end(), member) == members.end()) members.push_back(member);
}

}  // namespace

CollectiveProgram compile_for_member(const Schedule& schedule, const std::vector<Buffer>& buffers, int member) {
  check_buffers(schedule, buffers);
  if (schedule.rounds.empty()) return {};
  CollectiveProgram program(schedule.rounds.size() + 1);
  for (std::size_t k = 0; k < schedule.rounds.size(); ++k) {
    for (const Transfer& transfer : schedule.rounds[k]) {
      if (transfer.from == member) add_unique(program[k + 1].wait_for, transfer.to);
      if (transfer.to != member) continue;
      add_unique(program[k].wait_for, transfer.from);
      program[k].moves.push_back(move_of(transfer, schedule, buffers));
    }
  }
  return program;
}

void execute(const ChunkMove& move) {
  if (move.elements == 0) return;
  if (!move.reduce) {
    std::memcpy(move.to, move.from, static_cast<std::size_t>(move.elements * bytes_of(move.dtype)));
    return;
  }
  visit_dtype<float, double, Bfloat16, Float16>(move.dtype, "collective", [&]<class Real>(Real) {
    add_into<Real>(move.to, move.from, move.elements);
    return true;
  });
}

}  // namespace dtbench
