// "Did you mean": the nearest right spelling of a name.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace dtbench {

/// Lower case, without spaces, hyphens, underscores and dots: `V100-SXM2-32GB` and `v100 sxm2 32gb` are one name.
std::string fold_name(std::string_view name);

/// The candidate with the smallest edit distance to `name` (both folded), or "" when none is near enough to help.
std::string nearest_name(std::string_view name, const std::vector<std::string>& candidates);

/// "did you mean 'x'?" or "" when nothing is near; fits ErrorParts::hint.
std::string did_you_mean(std::string_view name, const std::vector<std::string>& candidates);

/// 'a', 'b' or 'c': fits ErrorParts::expected.
std::string one_of(const std::vector<std::string>& names);

}  // namespace dtbench
