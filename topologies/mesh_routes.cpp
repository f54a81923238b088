#include "topologies/mesh_routes.h"

#include <algorithm>
#include <limits>
#include <numeric>

namespace dtbench {

MeshRoutes::MeshRoutes(const std::vector<MeshEdge>& mesh, int devices)
    : devices_(devices), lanes_(static_cast<std::size_t>(devices * devices)), next_(lanes_.size(), -1) {
  for (const MeshEdge& edge : mesh) lanes_[index(edge.a, edge.b)] = lanes_[index(edge.b, edge.a)] = edge.lanes;
  for (int target = 0; target < devices; ++target) route_to(target);
}

// Breadth first from the target, so that a device is settled before those farther away ask for it.
void MeshRoutes::route_to(int target) {
  std::vector<int> hops(static_cast<std::size_t>(devices_), -1), width(hops.size(), 0);
  hops[static_cast<std::size_t>(target)] = 0;
  width[static_cast<std::size_t>(target)] = std::numeric_limits<int>::max();
  std::vector<int> queue = {target};
  for (std::size_t head = 0; head < queue.size(); ++head) {
    const int near = queue[head];
    for (int far = 0; far < devices_; ++far) {
      if (lanes(near, far) == 0) continue;
      const auto f = static_cast<std::size_t>(far), n = static_cast<std::size_t>(near);
      if (hops[f] < 0) {
        hops[f] = hops[n] + 1;
        queue.push_back(far);
      }
      const int through = std::min(width[n], lanes(near, far));
      const bool better = through > width[f] || (through == width[f] && near < next(far, target));
      if (hops[f] == hops[n] + 1 && better) {
        width[f] = through;
        next_[index(far, target)] = near;
      }
    }
  }
}

namespace {

constexpr int kSearchSteps = 200000;
constexpr int kMostMembersTried = 8;  // 7! orders of a relayed ring

using Ring = std::vector<int>;

// Packs undirected Hamiltonian cycles through devices 0..members-1, depth first with backtracking. Each lane is worth
// `shares` cycles.
class CyclePacking {
 public:
  CyclePacking(const MeshRoutes& routes, int members, int shares)
      : members_(members), left_(static_cast<std::size_t>(members * members)) {
    for (int a = 0; a < members; ++a)
      for (int b = 0; b < members; ++b) left(a, b) = shares * routes.lanes(a, b);
    bound_ = std::numeric_limits<int>::max();
    for (int a = 0; a < members; ++a) {
      int degree = 0;
      for (int b = 0; b < members; ++b) degree += left(a, b);
      bound_ = std::min(bound_, members == 2 ? degree : degree / 2);
    }
  }

  std::vector<Ring> search() {
    start_cycle();
    return best_;
  }

 private:
  int& left(int a, int b) { return left_[static_cast<std::size_t>(a * members_ + b)]; }
  bool finished() const { return static_cast<int>(best_.size()) >= bound_ || steps_ >= kSearchSteps; }

  void start_cycle() {
    if (finished()) return;
    Ring ring = {0};
    extend(ring);
  }

  void extend(Ring& ring) {
    if (finished() || ++steps_ >= kSearchSteps) return;
    if (static_cast<int>(ring.size()) == members_) return close(ring);
    const int last = ring.back();
    for (int device = 1; device < members_; ++device) {
      if (left(last, device) == 0 || std::find(ring.begin(), ring.end(), device) != ring.end()) continue;
      ring.push_back(device);
      extend(ring);
      ring.pop_back();
    }
  }

  void close(const Ring& ring) {
    const bool mirrored = ring[1] > ring.back();  // each cycle is met in both directions
    if (mirrored || left(ring.back(), 0) == 0) return;
    use(ring, -1);
    taken_.push_back(ring);
    if (taken_.size() > best_.size()) best_ = taken_;
    start_cycle();
    taken_.pop_back();
    use(ring, +1);
  }

  void use(const Ring& ring, int change) {
    if (members_ == 2) {
      left(0, 1) += change;
      left(1, 0) += change;
      return;
    }
    for (std::size_t i = 0; i < ring.size(); ++i) {
      const int a = ring[i], b = ring[(i + 1) % ring.size()];
      left(a, b) += change;
      left(b, a) += change;
    }
  }

  int members_;
  std::vector<int> left_;  // lanes not used yet
  int bound_ = 0;
  int steps_ = 0;
  std::vector<Ring> taken_, best_;
};

// How often a ring, relayed where need be, crosses each directed link.
class RelayLoad {
 public:
  RelayLoad(const MeshRoutes& routes, const Ring& ring)
      : routes_(routes), load_(static_cast<std::size_t>(routes.devices() * routes.devices())) {
    add(ring);
  }
  void add(const Ring& ring) {
    for (std::size_t i = 0; i < ring.size(); ++i) {
      const int to = ring[(i + 1) % ring.size()];
      for (int at = ring[i]; at != to; at = routes_.next(at, to)) {
        ++load_[static_cast<std::size_t>(at * routes_.devices() + routes_.next(at, to))];
        ++hops_;
      }
    }
  }
  double worst() const {
    double worst = 0;
    for (int a = 0; a < routes_.devices(); ++a)
      for (int b = 0; b < routes_.devices(); ++b)
        if (const int load = load_[static_cast<std::size_t>(a * routes_.devices() + b)]; load > 0)
          worst = std::max(worst, static_cast<double>(load) / routes_.lanes(a, b));
    return worst;
  }
  std::pair<double, int> cost() const { return {worst(), hops_}; }

 private:
  const MeshRoutes& routes_;
  std::vector<int> load_;
  int hops_ = 0;
};

Ring reversed(Ring ring) {
  std::reverse(ring.begin() + 1, ring.end());
  return ring;
}

std::vector<Ring> relayed_rings(const MeshRoutes& routes, int members) {
  Ring order(static_cast<std::size_t>(members));
  std::iota(order.begin(), order.end(), 0);
  Ring best = order;
  if (members <= kMostMembersTried)
    while (std::next_permutation(order.begin() + 1, order.end()))
      if (RelayLoad(routes, order).cost() < RelayLoad(routes, best).cost()) best = order;
  RelayLoad both(routes, best);
  both.add(reversed(best));
  if (members > 2 && both.worst() <= 1) return {best, reversed(best)};
  return {best};
}

}  // namespace

std::vector<std::vector<int>> disjoint_rings(const MeshRoutes& routes, int members) {
  if (members == 1) return {{0}};
  std::vector<Ring> cycles = CyclePacking(routes, members, 1).search();
  if (cycles.empty()) return relayed_rings(routes, members);
  const std::vector<Ring> halves = CyclePacking(routes, members, 2).search();
  if (halves.size() > 2 * cycles.size()) cycles = halves;
  if (members == 2) return cycles;  // there and back is one ring
  std::vector<Ring> rings;
  for (const Ring& cycle : cycles) {
    rings.push_back(cycle);
    rings.push_back(reversed(cycle));
  }
  return rings;
}

}  // namespace dtbench
