#include "topologies/topology_spec.h"

#include <fmt/core.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cstdint>
#include <vector>

#include "topologies/base/error.h"
#include "topologies/base/suggest.h"

namespace dtbench {

namespace {

constexpr std::int64_t kMaxDevices = std::int64_t{1} << 20;
constexpr std::size_t kMaxLength = 256;          // a longer spelling is no name
constexpr std::string_view kTimes = "\xC3\x97";  // U+00D7 MULTIPLICATION SIGN
constexpr const char* kGrammar =
    "[<nodes>x]<devices per node>x<device>[@<system>] such as 8xA100 or 4x8xV100@dgx1, host, or a .json file";

std::string_view trim(std::string_view text) {
  const auto blank = [](char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; };
  while (!text.empty() && blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && blank(text.back())) text.remove_suffix(1);
  return text;
}

// What a message may quote: printable, and short enough for a line.
std::string quoted(std::string_view text) {
  std::string shown;
  for (const char c : text.substr(0, 60)) {
    const auto byte = static_cast<unsigned char>(c);
    shown += byte < 0x20 || byte >= 0x7f ? fmt::format("\\x{:02x}", byte) : std::string(1, c);
  }
  return fmt::format("'{}{}'", shown, text.size() > 60 ? "..." : "");
}

[[noreturn]] void refuse(std::string_view whole, std::string_view found, std::string hint = "") {
  throw_bad_input({fmt::format("topology {}", quoted(whole)), std::string(found), kGrammar, std::move(hint)});
}

// Length of an 'x', 'X' or multiplication sign at the start; 0 when there is none.
std::size_t times_sign(std::string_view text) {
  if (text.substr(0, kTimes.size()) == kTimes) return kTimes.size();
  return !text.empty() && (text.front() == 'x' || text.front() == 'X') ? 1 : 0;
}

bool digit(char c) { return c >= '0' && c <= '9'; }

// Takes "<count>x" off the front of `rest`; false, and `rest` untouched, when it starts otherwise.
bool take_count(std::string_view whole, std::string_view& rest, std::int64_t& count) {
  const std::string_view signless = rest.substr(!rest.empty() && (rest.front() == '-' || rest.front() == '+') ? 1 : 0);
  std::size_t length = 0;
  while (length < signless.size() && digit(signless[length])) ++length;
  const std::string_view after = trim(signless.substr(length));
  const std::size_t sign = times_sign(after);
  if (length == 0 || sign == 0) return false;
  const std::string_view number = signless.substr(0, length);
  if (rest.front() == '-') refuse(whole, fmt::format("a negative count '-{}'", number));
  const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), count);
  if (error != std::errc() || count > kMaxDevices)
    refuse(whole, fmt::format("count {}", quoted(number)), fmt::format("at most {} devices", kMaxDevices));
  if (count == 0) refuse(whole, "a count of 0", "counts start at 1");
  rest = trim(after.substr(sign));
  return true;
}

void check_name(std::string_view whole, std::string_view name, const char* what) {
  for (const char c : name) {
    const bool known = std::isalnum(static_cast<unsigned char>(c)) || c == ' ' || c == '-' || c == '_' || c == '.';
    if (!known)
      refuse(whole, fmt::format("character {} in the {} name", quoted(std::string_view(&c, 1)), what),
             c == '*' ? "write x between the numbers" : "");
  }
}

TopologySpec parse_named(std::string_view text) {
  std::vector<std::int64_t> counts;
  std::string_view rest = text;
  for (std::int64_t count = 0; take_count(text, rest, count);) counts.push_back(count);
  if (counts.size() > 2) refuse(text, fmt::format("{} counts", counts.size()), "nodes and devices per node");

  TopologySpec spec;
  spec.nodes_given = counts.size() == 2;
  if (spec.nodes_given) spec.nodes = static_cast<int>(counts.front());
  if (!counts.empty()) spec.devices_per_node = static_cast<int>(counts.back());
  if (std::int64_t{spec.nodes} * spec.devices_per_node > kMaxDevices)
    refuse(text, fmt::format("{} devices", std::int64_t{spec.nodes} * spec.devices_per_node),
           fmt::format("at most {} devices", kMaxDevices));

  const std::size_t at = rest.find('@');
  spec.device = trim(rest.substr(0, at));
  if (at != std::string_view::npos) spec.system = trim(rest.substr(at + 1));
  if (spec.device.empty()) refuse(text, "no device name");
  if (at != std::string_view::npos && spec.system.empty()) refuse(text, "'@' without a system name");
  check_name(text, spec.device, "device");
  check_name(text, spec.system, "system");
  if (fold_name(spec.device) == "host")
    refuse(text, "'host' with a count or system", "write host alone; --devices says how many replicas");
  const bool only_digits = std::all_of(spec.device.begin(), spec.device.end(), digit);
  if (only_digits) refuse(text, "no device name", fmt::format("{}x<device>", spec.device));
  return spec;
}

bool ends_in_json(std::string_view text) {
  constexpr std::string_view kEnding = ".json";
  if (text.size() <= kEnding.size()) return false;
  const std::string_view ending = text.substr(text.size() - kEnding.size());
  return std::equal(ending.begin(), ending.end(), kEnding.begin(),
                    [](char a, char b) { return std::tolower(static_cast<unsigned char>(a)) == b; });
}

}  // namespace

TopologySpec parse_topology_spec(std::string_view spelling) {
  const std::string_view text = trim(spelling);
  if (text.empty()) refuse(spelling, "an empty name");
  TopologySpec spec;
  if (ends_in_json(text)) {
    spec.kind = TopologySpec::Kind::file;
    spec.path = text;
    return spec;
  }
  if (text.size() > kMaxLength) refuse(text, fmt::format("{} characters", text.size()));
  if (fold_name(text) == "host") {
    spec.kind = TopologySpec::Kind::host;
    return spec;
  }
  return parse_named(text);
}

}  // namespace dtbench
