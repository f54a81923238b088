#include "sim/model/link_fit.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "engine/collectives/algorithm.h"
#include "sim/model/cost_model.h"
#include "sim/model/held_out.h"
#include "sim/model/rate_fit.h"
#include "sim/model/robust_statistics.h"
#include "topologies/base/error.h"

namespace dtbench {

namespace {

constexpr double kLeastLinkLnSd = 0.02;
/// One efficiency curve over the bytes of the call.
const RateModel kEfficiency = {{CurveBelief{}}};

/// What an efficiency of 1 would take is the amount, so that the fitted rate is the efficiency.
RateObservation observation_of(const CollectiveSample& sample, CapacityTable& capacities) {
  const Group group{"data", {0, sample.ranks, 1}, 1, 0, {1, sample.ranks}};
  RateObservation seen;
  double nominal_seconds = 0;
  for (const Phase& phase :
       collective_algorithm(sample.algorithm).phases(CollectiveKind::all_reduce, group.shape, sample.bytes)) {
    seen.fixed += phase.rounds;
    nominal_seconds += phase.bytes_per_edge / capacities.capacity(group, phase.scope).within_node;
  }
  seen.terms.push_back({nominal_seconds, {sample.bytes}});
  seen.seconds = sample.seconds;
  return seen;
}

double size_of(const RateObservation& seen) { return seen.terms.front().places.front(); }

/// Scatter of sizes left out around a fit without them; 0 when there are too few.
double held_out_ln_sd(const std::vector<RateObservation>& observations) {
  std::vector<double> sizes, errors;
  for (const RateObservation& seen : observations) sizes.push_back(size_of(seen));
  const std::set<double> out = left_out(sizes);
  if (out.empty()) return 0;
  std::vector<RateObservation> kept;
  for (const RateObservation& seen : observations)
    if (!out.contains(size_of(seen))) kept.push_back(seen);
  const RateFit fit = fit_rates(kEfficiency, kept);
  for (const RateObservation& seen : observations)
    if (out.contains(size_of(seen))) errors.push_back(std::log(fitted_seconds(fit, seen) / seen.seconds));
  return robust_sd(errors);
}

LinkCalibration fit_link(const std::vector<RateObservation>& observations) {
  const RateFit fit = fit_rates(kEfficiency, observations);
  const double ln_sd = std::clamp(std::max(fit.ln_sd, held_out_ln_sd(observations)), kLeastLinkLnSd, kLargestLnSd);
  const std::string source = fmt::format("fit of {} timed all-reduces", observations.size());
  RateCurve factor = fit.curves.front().front();
  double best = 0;
  for (const RateCurve::Point& point : factor.points) best = std::max(best, point.rate);
  for (RateCurve::Point& point : factor.points) point.rate /= best;
  factor.origin = Origin::measured;
  factor.source = source;
  LinkCalibration link;
  link.launch_seconds = link.alpha_seconds = {fit.fixed_seconds, ln_sd, Origin::measured, source};
  link.efficiency = {best, ln_sd, Origin::measured, source};
  link.size_factor = std::move(factor);
  return link;
}

}  // namespace

std::map<std::string, LinkCalibration> fit_links(const std::vector<CollectiveSample>& samples,
                                                 const Topology& topology) {
  CapacityTable capacities(topology);
  std::map<std::string, std::vector<RateObservation>> by_class;
  for (const CollectiveSample& sample : samples) {
    if (sample.link_class != topology.within_node.link_class)
      throw_bad_input(
          {"calibration sample", fmt::format("link class '{}'", sample.link_class),
           fmt::format("'{}', the links within a node of '{}'", topology.within_node.link_class, topology.spec), ""});
    if (sample.ranks > 1 && sample.bytes > 0) by_class[sample.link_class].push_back(observation_of(sample, capacities));
  }
  std::map<std::string, LinkCalibration> links;
  for (const auto& [link_class, observations] : by_class) links[link_class] = fit_link(observations);
  return links;
}

}  // namespace dtbench
