// Fits that leave one group of the published rows out in turn (a machine, a model, a laboratory), and what their errors
// say of the bands: the same for every kind of validation.
#pragma once

#include <cstddef>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "reports/validate_result.h"
#include "sim/model/job_parameters.h"

namespace dtbench {

using Groups = std::vector<std::string>;  ///< the group of each observation

/// The observations of all groups but one; without `except`, all.
std::vector<std::size_t> indices_without(const Groups& groups, std::optional<std::string_view> except);

/// Each observation predicted by parameters that have not seen its group: `fit(indices)` makes the parameters,
/// `predict(index, parameters)` the prediction.
template <class Fit, class Predict>
auto predict_left_out(const Groups& groups, Fit fit, Predict predict) {
  std::vector<decltype(predict(std::size_t{}, std::declval<FittedEffects>()))> predictions(groups.size());
  for (const std::string& group : std::set<std::string>(groups.begin(), groups.end())) {
    const FittedEffects fitted = fit(indices_without(groups, group));
    for (std::size_t i = 0; i < groups.size(); ++i)
      if (groups[i] == group) predictions[i] = predict(i, fitted);
  }
  return predictions;
}

/// The factor on predicted standard deviations for a 90 % band, told by the groups other than `except`; that of a
/// normal distribution when there is no other. `sizes`: |error| / predicted standard deviation of each observation.
double left_out_band_factor(const Groups& groups, const std::vector<double>& sizes,
                            std::optional<std::string_view> except);

/// Parameters to ship. `rows`: every observation predicted with its machine left out.
JobParameters parameters_to_ship(std::string name, std::string source, FittedEffects effects, double band_factor,
                                 const std::vector<ValidateRow>& rows);

}  // namespace dtbench
