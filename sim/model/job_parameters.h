// The fitted parameters of training jobs as data (`dtbench.training_jobs/1`, topologies/calibrations/training_jobs.json):
// written by `dtbench validate --kind scaling --fit`, read wherever a job is predicted.
#pragma once

#include <string>

#include "sim/model/effects_fit.h"

namespace dtbench {

struct JobParameters {
  std::string name, source;
  FittedEffects effects;
  double band_factor = 0;   ///< on predicted standard deviations, for 90 % (group_band.h)
  int observations = 0;
  double holdout_error = 0;  ///< median |error| on machines left out of the fit
  bool operator==(const JobParameters&) const = default;
};

std::string job_parameters_to_json_text(const JobParameters& parameters);
JobParameters job_parameters_from_json_file(const std::string& path);
/// calibrations/training_jobs.json in the data directory.
std::string shipped_job_parameters_file(const std::string& directory);

}  // namespace dtbench
