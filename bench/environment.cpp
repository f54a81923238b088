#include "bench/environment.h"

#include <fmt/chrono.h>
#include <fmt/core.h>
#include <sys/resource.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <iterator>
#include <limits>
#include <sstream>

#include "bench/shell_quote.h"
#include "bench/version.h"

namespace dtbench {

namespace {

std::string kernel_version() {
  utsname name{};
  return uname(&name) == 0 ? fmt::format("{} {}", name.sysname, name.release) : "unknown";
}

std::string load_average() {
  double loads[3];
  return getloadavg(loads, 3) == 3 ? fmt::format("{:.2f} {:.2f} {:.2f}", loads[0], loads[1], loads[2]) : "unknown";
}

// A word that a shell takes as it is.
bool is_plain(const std::string& word) {
  constexpr const char* kPlain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_=./,:@+%";
  return !word.empty() && word.find_first_not_of(kPlain) == std::string::npos;
}

double number_in_file(const char* path) {
  std::ifstream file(path);
  double value = 0;
  return file >> value ? value : std::numeric_limits<double>::infinity();
}

double seconds_of(const timeval& time) {
  return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
}

}  // namespace

Environment describe_environment(const HostFacts& host) {
  const auto now = std::chrono::time_point_cast<std::chrono::seconds>(std::chrono::system_clock::now());
  Environment environment = {{"version", kVersion},
                             {"date", fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(now))},
                             {"cpu", host.cpu_name},
                             {"cores", std::to_string(host.cores)},
                             {"isa", host.isa},
                             {"kernel", kernel_version()},
                             {"compiler", kCompiler},
                             {"onednn", kOneDnnVersion},
                             {"simgrid", kSimGridVersion},
                             {"hwloc", kHwlocVersion},
                             {"load_average", load_average()}};
  // Of the code that is measured, when who builds it says so: tells a new session from a new version.
  const char* revision = std::getenv("DTBENCH_REVISION");
  if (revision && *revision) environment["revision"] = revision;
  return environment;
}

std::string this_command() {
  std::ifstream file("/proc/self/cmdline", std::ios::binary);
  std::string word, text;
  while (std::getline(file, word, '\0')) text += (text.empty() ? "" : " ") + (is_plain(word) ? word : shell_quoted(word));
  return text;
}

double available_memory_bytes() {
  std::ifstream file("/proc/meminfo");
  std::string key, rest;
  double kilobytes = 0, available = std::numeric_limits<double>::infinity();
  while (file >> key >> kilobytes && std::getline(file, rest))
    if (key == "MemAvailable:") available = 1024 * kilobytes;
  const double group_free =
      number_in_file("/sys/fs/cgroup/memory.max") - number_in_file("/sys/fs/cgroup/memory.current");
  return group_free > 0 ? std::min(available, group_free) : available;  // no limit: inf or not a number
}

DisturbanceWatch::Sample DisturbanceWatch::sample() {
  Sample now;
  now.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
  std::ifstream file("/proc/stat");  // cpu user nice system idle iowait irq softirq steal
  std::string cpu;
  double ticks[8] = {};
  file >> cpu;
  for (double& value : ticks) file >> value;
  const double per_second = static_cast<double>(sysconf(_SC_CLK_TCK));
  for (const double value : ticks) now.total += value / per_second;
  now.busy = now.total - (ticks[3] + ticks[4] + ticks[7]) / per_second;
  now.steal = ticks[7] / per_second;
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  now.own = seconds_of(usage.ru_utime) + seconds_of(usage.ru_stime);
  now.switches = static_cast<double>(usage.ru_nivcsw);
  return now;
}

DisturbanceWatch::DisturbanceWatch() : start_(sample()) {}

DisturbanceWatch::Report DisturbanceWatch::report() const {
  constexpr double kMostSteal = 0.02, kMostOtherLoad = 0.05, kShortest = 0.05;
  const Sample now = sample();
  const double seconds = now.seconds - start_.seconds, total = now.total - start_.total;
  Report report;
  if (seconds < kShortest || total <= 0) return report;  // the kernel counts in ticks of 10 ms
  report.steal_fraction = (now.steal - start_.steal) / total;
  report.other_load_fraction = std::max(0.0, ((now.busy - start_.busy) - (now.own - start_.own)) / total);
  report.switches_per_second = (now.switches - start_.switches) / seconds;
  report.disturbed = report.steal_fraction > kMostSteal || report.other_load_fraction > kMostOtherLoad;
  return report;
}

void record_disturbance(Environment& environment, const DisturbanceWatch::Report& report) {
  environment["steal_fraction"] = fmt::format("{:.3f}", report.steal_fraction);
  environment["other_load_fraction"] = fmt::format("{:.3f}", report.other_load_fraction);
  environment["involuntary_switches_per_second"] = fmt::format("{:.0f}", report.switches_per_second);
  environment["disturbed"] = report.disturbed ? "yes" : "no";
}

}  // namespace dtbench
