#include "engine/cpu/control_group.h"

#include <algorithm>
#include <fstream>
#include <string>
#include <vector>

namespace dtbench {

namespace {

namespace fs = std::filesystem;

/// One line of /proc/self/cgroup: "4:cpu,cpuacct:/docker/12ab", or "0::/user.slice" in version 2.
struct Membership {
  std::string controllers, path;
};

std::vector<Membership> memberships(const fs::path& root) {
  std::vector<Membership> result;
  std::ifstream file(root / "proc/self/cgroup");
  for (std::string line; std::getline(file, line);) {
    const auto first = line.find(':');
    const auto second = line.find(':', first + 1);
    if (first == std::string::npos || second == std::string::npos) continue;
    result.push_back({line.substr(first + 1, second - first - 1), line.substr(second + 1)});
  }
  return result;
}

/// The group's folder and those above it, up to the mount point.
std::vector<fs::path> folders(const fs::path& mount, const std::string& group) {
  std::vector<fs::path> result = {mount};
  fs::path folder = mount;
  for (const fs::path& part : fs::path(group).relative_path()) result.push_back(folder /= part);
  return result;
}

void lower(double& limit, double value) {
  if (value > 0) limit = std::min(limit, value);
}

/// "200000 100000" or "max 100000".
void read_version_2(const fs::path& folder, ControlGroupLimits& limits) {
  double quota = 0, period = 0, bytes = 0;
  if (std::ifstream(folder / "cpu.max") >> quota >> period && period > 0) lower(limits.cpus, quota / period);
  if (std::ifstream(folder / "memory.max") >> bytes) lower(limits.memory_bytes, bytes);
}

void read_version_1(const fs::path& folder, ControlGroupLimits& limits) {
  double quota = 0, period = 0, bytes = 0;
  if (std::ifstream(folder / "cpu.cfs_quota_us") >> quota && std::ifstream(folder / "cpu.cfs_period_us") >> period &&
      period > 0) {
    lower(limits.cpus, quota / period);
  }
  if (std::ifstream(folder / "memory.limit_in_bytes") >> bytes) lower(limits.memory_bytes, bytes);
}

}  // namespace

ControlGroupLimits control_group_limits(const fs::path& root) {
  ControlGroupLimits limits;
  const fs::path mount = root / "sys/fs/cgroup";
  for (const auto& [controllers, path] : memberships(root)) {
    if (controllers.empty()) {
      for (const fs::path& folder : folders(mount, path)) read_version_2(folder, limits);
    } else {
      for (const fs::path& folder : folders(mount / controllers, path)) read_version_1(folder, limits);
    }
  }
  return limits;
}

}  // namespace dtbench
