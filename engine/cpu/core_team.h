// The cores of one device and the OpenMP team that works on them.
//
// libgomp keeps one pool of threads per thread that opens parallel regions, and the team size is a setting of that
// thread, so the compute threads of several replicas have teams of their own. A region always uses the whole team or
// none of it: a smaller one would end the threads that it leaves out. Libraries do open smaller ones; members that came
// anew are pinned by the next region of ours.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <vector>

#include "engine/cpu/workspace.h"

namespace dtbench {

/// Part of a range of work, and who does it.
struct Piece {
  std::int64_t first = 0, last = 0;
  int member = 0;
};

class CoreTeam {
 public:
  /// One logical CPU per member.
  explicit CoreTeam(std::vector<int> cpus);
  int size() const { return static_cast<int>(cpus_.size()); }
  /// Scratch memory of the kernels that the team's master runs; copies of a team share it.
  Workspace& workspace() const { return *workspace_; }

  /// Makes the calling thread the master of the team: sets its team size and pins every member to its own CPU.
  void lead() const;
  /// For the threads that work beside the team: one thread, allowed on all CPUs of the team.
  void accompany() const;

  /// Cuts [0, count) into one piece a member, bounds at multiples of `grain`, and calls body(piece) for those that are
  /// not empty; on the calling thread alone when there are fewer than two grains.
  template <class Body>
  void split(std::int64_t count, std::int64_t grain, const Body& body) const {
    if (size() == 1 || count < 2 * grain) {
      if (count > 0) body(Piece{0, count, 0});
      return;
    }
    const std::int64_t grains = (count + grain - 1) / grain;
#pragma omp parallel num_threads(size())
    {
      const Piece piece = piece_of_this_member(grains, grain, count);
      if (piece.first < piece.last) body(piece);
    }
  }

 private:
  Piece piece_of_this_member(std::int64_t grains, std::int64_t grain, std::int64_t count) const;
  bool pin_this_member(bool again) const;
  std::vector<int> cpus_;
  std::shared_ptr<Workspace> workspace_ = std::make_shared<Workspace>();
};

}  // namespace dtbench
