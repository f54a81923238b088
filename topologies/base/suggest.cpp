#include "topologies/base/suggest.h"

#include <fmt/core.h>

#include <algorithm>
#include <cctype>
#include <numeric>

namespace dtbench {

namespace {

// Levenshtein distance, one row at a time.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t substituted = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, substituted});
    }
  }
  return row.back();
}

}  // namespace

std::string fold_name(std::string_view name) {
  std::string folded;
  for (const unsigned char c : name)
    if (c != ' ' && c != '-' && c != '_' && c != '.') folded += static_cast<char>(std::tolower(c));
  return folded;
}

std::string nearest_name(std::string_view name, const std::vector<std::string>& candidates) {
  constexpr std::size_t kLongestName = 200;  // a longer one is not a misspelling
  const std::string wanted = fold_name(name.substr(0, kLongestName));
  std::string best;
  // A third of the letters may be wrong, two in any case, but never all.
  std::size_t best_distance = std::min(wanted.size(), std::max<std::size_t>(2, wanted.size() / 3) + 1);
  for (const std::string& candidate : candidates) {
    const std::size_t distance = edit_distance(wanted, fold_name(candidate));
    if (distance < best_distance) {
      best_distance = distance;
      best = candidate;
    }
  }
  return best;
}

std::string did_you_mean(std::string_view name, const std::vector<std::string>& candidates) {
  const std::string nearest = nearest_name(name, candidates);
  return nearest.empty() ? "" : fmt::format("did you mean '{}'?", nearest);
}

std::string one_of(const std::vector<std::string>& names) {
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (i > 0) text += i + 1 == names.size() ? " or " : ", ";
    text += fmt::format("'{}'", names[i]);
  }
  return text;
}

}  // namespace dtbench
