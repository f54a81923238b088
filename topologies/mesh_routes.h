// A mesh of point-to-point links: who is joined to whom by how many lanes, the way between devices that are not joined,
// and the rings that fit side by side.
#pragma once

#include <vector>

#include "topologies/topology.h"

namespace dtbench {

class MeshRoutes {
 public:
  MeshRoutes(const std::vector<MeshEdge>& mesh, int devices);

  int devices() const { return devices_; }
  int lanes(int a, int b) const { return lanes_[index(a, b)]; }  ///< in each direction; 0 = not joined
  /// Next device on the way: fewest hops, then the widest narrowest link, then the lowest number. Devices that are not
  /// joined are relayed by those between them, as NCCL does over an intermediate GPU.
  int next(int from, int to) const { return next_[index(from, to)]; }

 private:
  std::size_t index(int a, int b) const { return static_cast<std::size_t>(a * devices_ + b); }
  void route_to(int target);

  int devices_;
  std::vector<int> lanes_, next_;
};

/// As many rings over devices 0..members-1 as a search finds such that no direction of a link is used more often than
/// it has lanes: link-disjoint Hamiltonian cycles, each in both directions. Where rings that share each lane by two
/// carry more, those: four devices joined each to each have one disjoint cycle, but three cycles at half rate use every
/// link fully (4 P100 of a DGX-1 measure 52 GB/s, two whole rings could reach 40). One relayed ring where there is no
/// cycle. The search is cut off after a fixed number of steps and is always the same.
std::vector<std::vector<int>> disjoint_rings(const MeshRoutes& routes, int members);

}  // namespace dtbench
