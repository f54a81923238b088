#include "bench/validation/left_out.h"

#include <utility>

#include "sim/model/group_band.h"

namespace dtbench {

namespace {

constexpr double kBand = 0.9, kOfGroups = 0.6;
/// Standard deviations of half a 90 % band where no other group says how many it takes.
constexpr double kNormalFactor = 1.645;

}  // namespace

std::vector<std::size_t> indices_without(const Groups& groups, std::optional<std::string_view> except) {
  std::vector<std::size_t> kept;
  for (std::size_t i = 0; i < groups.size(); ++i)
    if (!except || groups[i] != *except) kept.push_back(i);
  return kept;
}

double left_out_band_factor(const Groups& groups, const std::vector<double>& sizes,
                            std::optional<std::string_view> except) {
  std::vector<GroupResidual> residuals;
  for (const std::size_t i : indices_without(groups, except)) residuals.push_back({groups[i], sizes[i]});
  return residuals.empty() ? kNormalFactor : group_band_factor(residuals, kBand, kOfGroups);
}

JobParameters parameters_to_ship(std::string name, std::string source, FittedEffects effects, double band_factor,
                                 const std::vector<ValidateRow>& rows) {
  JobParameters parameters;
  parameters.name = std::move(name);
  parameters.source = std::move(source);
  parameters.effects = std::move(effects);
  parameters.band_factor = band_factor;
  parameters.observations = static_cast<int>(rows.size());
  parameters.holdout_error = summary_of(rows).median_abs_error;
  return parameters;
}

}  // namespace dtbench
