#include "topologies/node_wiring.h"

#include <fmt/core.h>

#include <numeric>

#include "topologies/base/error.h"
#include "topologies/mesh_routes.h"

namespace dtbench {

std::vector<std::vector<int>> NodeWiring::rings(int members) const {
  std::vector<int> order(static_cast<std::size_t>(members));
  std::iota(order.begin(), order.end(), 0);
  return {order};
}

namespace {

// Up is the even link of a pair, down the odd one.
void add_pair(std::vector<Link>& links, const std::string& name, double bandwidth) {
  links.push_back({name + "/up", bandwidth, false});
  links.push_back({name + "/down", bandwidth, false});
}

// A switch that never blocks, or one memory: the only limits are the members' own links.
class StarWiring : public NodeWiring {
 public:
  StarWiring(double bandwidth, int devices, std::string word)
      : bandwidth_(bandwidth), devices_(devices), word_(std::move(word)) {}

  std::vector<Link> links() const override {
    std::vector<Link> links;
    for (int device = 0; device < devices_; ++device) add_pair(links, fmt::format("{}{}", word_, device), bandwidth_);
    return links;
  }
  std::vector<LinkUse> path(int from, int to) const override { return {{2 * from, 1}, {2 * to + 1, 1}}; }

 private:
  double bandwidth_;
  int devices_;
  std::string word_;
};

class MeshWiring : public NodeWiring {
 public:
  MeshWiring(const Tier& tier, int devices, std::string word)
      : routes_(tier.mesh, devices), mesh_(tier.mesh), lane_bandwidth_(tier.bandwidth), word_(std::move(word)) {}

  std::vector<Link> links() const override {
    std::vector<Link> links;
    for (const MeshEdge& edge : mesh_)
      for (const auto& [from, to] : {std::pair(edge.a, edge.b), std::pair(edge.b, edge.a)})
        links.push_back({fmt::format("{}{}-{}{}", word_, from, word_, to), edge.lanes * lane_bandwidth_, false});
    return links;
  }
  std::vector<LinkUse> path(int from, int to) const override {
    std::vector<LinkUse> path;
    for (; from != to; from = routes_.next(from, to)) path.push_back({link(from, routes_.next(from, to)), 1});
    return path;
  }
  std::vector<std::vector<int>> rings(int members) const override { return disjoint_rings(routes_, members); }

 private:
  int link(int from, int to) const {
    for (std::size_t i = 0; i < mesh_.size(); ++i) {
      if (mesh_[i].a == from && mesh_[i].b == to) return static_cast<int>(2 * i);
      if (mesh_[i].b == from && mesh_[i].a == to) return static_cast<int>(2 * i + 1);
    }
    DTBENCH_CHECK(false);
    return -1;
  }

  MeshRoutes routes_;
  std::vector<MeshEdge> mesh_;
  double lane_bandwidth_;
  std::string word_;
};

// Order of links: devices, switches (when they hold more than one device), sockets (each ordered pair), host memory,
// bridges.
class PcieWiring : public NodeWiring {
 public:
  PcieWiring(const Tier& tier, int devices, std::string word)
      : tree_(tier.pcie), bandwidth_(tier.bandwidth), devices_(devices), word_(std::move(word)) {
    if (tree_.devices_per_switch > 1) switches_ = (devices + tree_.devices_per_switch - 1) / tree_.devices_per_switch;
  }

  std::vector<Link> links() const override {
    std::vector<Link> links;
    for (int device = 0; device < devices_; ++device) add_pair(links, fmt::format("{}{}", word_, device), bandwidth_);
    for (int index = 0; index < switches_; ++index) add_pair(links, fmt::format("switch{}", index), bandwidth_);
    for (int from = 0; from < tree_.sockets; ++from)
      for (int to = 0; to < tree_.sockets; ++to)
        if (from != to) links.push_back({fmt::format("socket{}-socket{}", from, to), tree_.socket_bandwidth, false});
    if (!tree_.peer_to_peer) links.push_back({"host-memory", tree_.staging_bandwidth, false});
    for (int pair = 0; pair < bridges(); ++pair) add_pair(links, fmt::format("bridge{}", pair), tree_.bridge_bandwidth);
    return links;
  }

  std::vector<LinkUse> path(int from, int to) const override {
    if (from / 2 < bridges() && from / 2 == to / 2) return {{first_bridge_link() + 2 * (from / 2) + from % 2, 1}};
    const bool same_switch = switches_ > 0 && switch_of(from) == switch_of(to);
    if (tree_.peer_to_peer && same_switch) return {{2 * from, 1}, {2 * to + 1, 1}};
    std::vector<LinkUse> path = up(from);
    if (socket_of(from) != socket_of(to)) path.push_back({socket_link(socket_of(from), socket_of(to)), 1});
    stage(path);
    const std::vector<LinkUse> rest = down(to);
    path.insert(path.end(), rest.begin(), rest.end());
    return path;
  }

  std::vector<LinkUse> to_network(int device) const override {
    std::vector<LinkUse> path = up(device);
    stage(path);
    return path;
  }
  std::vector<LinkUse> from_network(int device) const override {
    std::vector<LinkUse> path;
    stage(path);
    const std::vector<LinkUse> rest = down(device);
    path.insert(path.end(), rest.begin(), rest.end());
    return path;
  }

 private:
  int switch_of(int device) const { return device / tree_.devices_per_switch; }
  int socket_of(int device) const { return device * tree_.sockets / devices_; }
  int bridges() const { return tree_.bridge_bandwidth > 0 ? devices_ / 2 : 0; }
  int host_memory_link() const { return first_socket_link() + tree_.sockets * (tree_.sockets - 1); }
  int first_bridge_link() const { return host_memory_link() + (tree_.peer_to_peer ? 0 : 1); }
  int first_socket_link() const { return 2 * (devices_ + switches_); }
  int socket_link(int from, int to) const {
    return first_socket_link() + from * (tree_.sockets - 1) + (to > from ? to - 1 : to);
  }
  std::vector<LinkUse> up(int device) const {
    std::vector<LinkUse> path = {{2 * device, 1}};
    if (switches_ > 0) path.push_back({2 * (devices_ + switch_of(device)), 1});
    return path;
  }
  std::vector<LinkUse> down(int device) const {
    std::vector<LinkUse> path;
    if (switches_ > 0) path.push_back({2 * (devices_ + switch_of(device)) + 1, 1});
    path.push_back({2 * device + 1, 1});
    return path;
  }
  // Written to host memory by one side, read from it by the other.
  void stage(std::vector<LinkUse>& path) const {
    if (!tree_.peer_to_peer) path.push_back({host_memory_link(), 2});
  }

  PcieTree tree_;
  double bandwidth_;
  int devices_;
  int switches_ = 0;
  std::string word_;
};

}  // namespace

std::unique_ptr<const NodeWiring> make_node_wiring(const Tier& tier, int devices, const std::string& device_word) {
  switch (tier.wiring) {
    case Wiring::all_to_all:
    case Wiring::shared_memory:
      return std::make_unique<StarWiring>(tier.bandwidth, devices, device_word);
    case Wiring::mesh:
      return std::make_unique<MeshWiring>(tier, devices, device_word);
    case Wiring::pcie_tree:
      return std::make_unique<PcieWiring>(tier, devices, device_word);
    case Wiring::rails:
      break;
  }
  throw_bad_input({fmt::format("tier '{}'", tier.name), "rails within a node", "another wiring", ""});
}

}  // namespace dtbench
