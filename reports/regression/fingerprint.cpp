#include "reports/regression/fingerprint.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <set>
#include <string_view>

namespace dtbench {

namespace {

constexpr std::array<std::string_view, 5> kRevisionFields = {"revision", "commit", "git_commit", "git_revision", "sha"};
constexpr std::array<std::string_view, 9> kChanging = {"date",           "load_average",        "load_avg",
                                                       "steal_fraction", "other_load_fraction", "disturbed",
                                                       "executable",     "json_schema_version", "version"};
constexpr std::array<std::string_view, 2> kChangingStarts = {"measured", "involuntary_switches"};
constexpr std::string_view kAbsent = "(absent)";

bool must_agree(std::string_view field) {
  const auto is_field = [field](std::string_view name) { return field == name; };
  return std::none_of(kChanging.begin(), kChanging.end(), is_field) &&
         std::none_of(kRevisionFields.begin(), kRevisionFields.end(), is_field) &&
         std::none_of(kChangingStarts.begin(), kChangingStarts.end(), [field](auto s) { return field.starts_with(s); });
}

std::string text_of(const Conditions& conditions, const std::string& field) {
  const auto found = conditions.find(field);
  return found == conditions.end() ? std::string(kAbsent) : found->second;
}

bool agree(const std::string& field, const std::string& base, const std::string& changed) {
  if (base == changed) return true;
  if (field != "mhz_per_cpu") return false;
  constexpr double kClockTolerance = 0.1;
  const double a = std::strtod(base.c_str(), nullptr), b = std::strtod(changed.c_str(), nullptr);
  return a > 0 && b > 0 && std::abs(a - b) <= kClockTolerance * std::max(a, b);
}

}  // namespace

std::vector<FieldDifference> fingerprint_differences(const Conditions& base, const Conditions& changed) {
  std::set<std::string> fields;
  for (const Conditions* conditions : {&base, &changed})
    for (const auto& [field, text] : *conditions)
      if (must_agree(field)) fields.insert(field);
  std::vector<FieldDifference> differences;
  for (const std::string& field : fields) {
    const std::string a = text_of(base, field), b = text_of(changed, field);
    if (!agree(field, a, b)) differences.push_back({field, a, b});
  }
  return differences;
}

std::string revision_of(const Conditions& conditions) {
  for (const std::string_view field : kRevisionFields) {
    const auto found = conditions.find(std::string(field));
    if (found != conditions.end() && !found->second.empty()) return found->second;
  }
  return "";
}

std::string session_of(const Conditions& conditions) {
  const auto found = conditions.find("date");
  return found == conditions.end() ? "" : found->second;
}

}  // namespace dtbench
