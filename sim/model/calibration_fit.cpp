#include "sim/model/calibration_fit.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <set>
#include <tuple>

#include "engine/collectives/algorithm.h"
#include "sim/model/closed_form.h"
#include "sim/model/cost_model.h"
#include "sim/model/rate_fit.h"
#include "topologies/base/error.h"

namespace dtbench {

namespace {

/// A fit from few samples knows its scatter badly; nothing is known better than this.
constexpr double kLeastLnSd = 0.02;
/// Rows of this many elements and more fill every vector unit.
constexpr double kWideEnough = 64;
/// Operations with more FLOPs a byte than this have a FLOP rate beside their byte rate; below it FLOPs say nothing that
/// bytes do not.
constexpr double kComputeIntensity = 2;

double median(std::vector<double> values) {
  DTBENCH_CHECK(!values.empty());
  std::sort(values.begin(), values.end());
  const std::size_t middle = values.size() / 2;
  return values.size() % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

void check_sample(const std::string& what, double seconds, double amount) {
  if (!(seconds > 0) || !std::isfinite(seconds) || !(amount >= 0) || !std::isfinite(amount))
    throw_bad_input({"calibration sample of " + what, fmt::format("{} s for {}", seconds, amount),
                     "a positive time for a size of at least 0", ""});
}

using OpKey = std::string;  // as in Calibration::ops
OpKey key_of(const OpSample& sample) { return fmt::format("{}/{}", sample.kind, name_of(sample.arithmetic)); }

/// Samples and the size by which a third of them is left out.
template <class Sample>
struct SizedSamples {
  std::vector<Sample> samples;
  std::function<double(const Sample&)> size;

  /// Every third size, the second of three: mostly inside the range of the others.
  std::set<double> left_out_sizes() const {
    std::set<double> all, out;
    for (const Sample& sample : samples) all.insert(size(sample));
    int index = 0;
    for (const double value : all)
      if (index++ % 3 == 1) out.insert(value);
    return out;
  }
};

/// Which curves the samples of a kind can tell.
struct OpForm {
  bool flops = false, bytes = false, width = false, step_bytes = false;
};

OpForm form_of(const std::vector<OpSample>& samples) {
  const auto any = [&](auto test) { return std::any_of(samples.begin(), samples.end(), test); };
  const auto all = [&](auto test) { return std::all_of(samples.begin(), samples.end(), test); };
  OpForm form;
  form.flops = any([](const OpSample& s) { return s.flops > kComputeIntensity * s.bytes; }) &&
               all([](const OpSample& s) { return s.flops > 0; });
  form.bytes = all([](const OpSample& s) { return s.bytes > 0; });
  form.width = all([](const OpSample& s) { return s.around.width > 0; });
  form.step_bytes = form.bytes && all([](const OpSample& s) { return s.around.step_bytes > 0; });
  return form;
}

/// Beliefs found by trying on steps of many sizes that no fit had seen; see README.md.
RateModel model_of(const OpForm& form) {
  CurveBelief width{0.3, 0.3};
  width.one = CurveBelief::One::at_last;
  width.last_place = kWideEnough;
  CurveBelief cold{1, 0.3};
  cold.one = CurveBelief::One::at_first;
  RateModel model;
  if (form.flops) model.push_back({{0.15, 0.15}});
  if (form.bytes) model.push_back({form.flops ? CurveBelief{2, 0.3, 4} : CurveBelief{3, 0.3}});
  if (form.width) model.front().push_back(width);
  if (form.step_bytes) model.back().push_back(cold);
  return model;
}

RateObservation observation_of(const OpSample& sample, const OpForm& form) {
  RateObservation seen;
  if (form.flops) seen.terms.push_back({sample.flops, {sample.flops}});
  if (form.bytes) seen.terms.push_back({sample.bytes, {sample.bytes}});
  if (form.width) seen.terms.front().places.push_back(sample.around.width);
  if (form.step_bytes) seen.terms.back().places.push_back(sample.around.step_bytes);
  seen.seconds = sample.seconds;
  return seen;
}

RateCurve described(RateCurve curve, double ln_sd, const std::string& source) {
  curve.ln_sd = ln_sd;
  curve.origin = Origin::fitted;
  curve.source = source;
  return curve;
}

OpCalibration fit_op(const std::vector<OpSample>& samples) {
  const OpForm form = form_of(samples);
  const std::string source = fmt::format("fit of {} timed calls", samples.size());
  OpCalibration op;
  if (!form.flops && !form.bytes) {
    std::vector<double> seconds;
    for (const OpSample& sample : samples) seconds.push_back(sample.seconds);
    op.overhead_seconds = {median(seconds), kLeastLnSd, Origin::fitted, source};
    return op;
  }
  std::vector<RateObservation> observations;
  for (const OpSample& sample : samples) observations.push_back(observation_of(sample, form));
  const RateFit fit = fit_rates(model_of(form), observations);
  const double ln_sd = std::max(kLeastLnSd, fit.ln_sd);
  op.overhead_seconds = {fit.fixed_seconds, ln_sd, Origin::fitted, source};
  if (form.flops) op.flop_rate = described(fit.curves.front().front(), ln_sd, source);
  if (form.bytes) op.byte_rate = described(fit.curves.back().front(), ln_sd, source);
  if (form.width) op.width_factor = described(fit.curves.front()[1], 0, source);
  if (form.step_bytes) op.cold_factor = described(fit.curves.back().back(), 0, source);
  return op;
}

PlanOp call_of(const OpSample& sample) {
  PlanOp op;
  op.kind = sample.kind;
  op.arithmetic = sample.arithmetic;
  op.flops = sample.flops;
  op.bytes = sample.bytes;
  return op;
}

class OpFitter {
 public:
  explicit OpFitter(const std::vector<OpSample>& samples) {
    for (const OpSample& sample : samples) {
      check_sample(key_of(sample), sample.seconds, sample.flops + sample.bytes);
      fewest_busy_ = std::min(fewest_busy_, sample.devices_busy);
    }
    for (const OpSample& sample : samples)
      if (sample.devices_busy == fewest_busy_) alone_[key_of(sample)].push_back(sample);
  }

  void fit_all(Calibration& calibration) const {
    for (const auto& [key, samples] : alone_) calibration.ops[key] = fit_op(samples);
  }

  /// Appends |error| on sizes left out.
  void holdout_errors(std::vector<double>& errors) const {
    for (const auto& [key, samples] : alone_) {
      const bool by_flops = form_of(samples).flops;
      const SizedSamples<OpSample> sized{samples, [&](const OpSample& s) { return by_flops ? s.flops : s.bytes; }};
      const std::set<double> out = sized.left_out_sizes();
      std::vector<OpSample> kept;
      for (const OpSample& sample : samples)
        if (!out.contains(sized.size(sample))) kept.push_back(sample);
      if (out.empty() || kept.empty()) continue;
      Calibration partial;
      partial.ops[key] = fit_op(kept);
      for (const OpSample& sample : samples)
        if (out.contains(sized.size(sample)))
          errors.push_back(std::abs(op_seconds(call_of(sample), sample.around, partial) / sample.seconds - 1));
    }
  }

 private:
  int fewest_busy_ = std::numeric_limits<int>::max();
  std::map<OpKey, std::vector<OpSample>> alone_;
};

/// Median over calls timed both alone and with all devices busy, weighted by time: total time with / without.
void fit_crowding(const std::vector<OpSample>& samples, Calibration& calibration) {
  using Call = std::tuple<OpKey, double, double>;
  std::map<Call, std::map<int, std::vector<double>>> by_call;
  int most_busy = 1;
  for (const OpSample& sample : samples) {
    by_call[{key_of(sample), sample.flops, sample.bytes}][sample.devices_busy].push_back(sample.seconds);
    most_busy = std::max(most_busy, sample.devices_busy);
  }
  std::vector<std::pair<double, double>> ratios;  // ratio, weight
  double weight = 0;
  for (const auto& [call, times] : by_call) {
    if (most_busy == 1 || !times.contains(1) || !times.contains(most_busy)) continue;
    const double alone = median(times.at(1));
    ratios.push_back({median(times.at(most_busy)) / alone, alone});
    weight += alone;
  }
  if (ratios.empty()) return;
  std::sort(ratios.begin(), ratios.end());
  double seen = 0;
  std::size_t middle = 0;
  while (middle + 1 < ratios.size() && (seen += ratios[middle].second) < weight / 2) ++middle;
  calibration.crowding = {std::max(1.0, ratios[middle].first), kLeastLnSd, Origin::fitted,
                          fmt::format("{} calls timed with 1 and {} devices busy", ratios.size(), most_busy)};
}

/// One efficiency curve over the bytes of the call.
const RateModel kEfficiency = {{{3, 0.5}}};

/// A group of `ranks` within a node, as the timed collective used.
Group group_of(int ranks) { return {"data", {0, ranks, 1}, 1, 0, {1, ranks}}; }

class LinkFitter {
 public:
  LinkFitter(const std::vector<CollectiveSample>& samples, const Topology& topology) : capacities_(topology) {
    for (const CollectiveSample& sample : samples) {
      check_sample("all-reduce over " + sample.link_class, sample.seconds, sample.bytes);
      if (sample.link_class != topology.within_node.link_class)
        throw_bad_input(
            {"calibration sample", fmt::format("link class '{}'", sample.link_class),
             fmt::format("'{}', the links within a node of '{}'", topology.within_node.link_class, topology.spec), ""});
      if (sample.ranks > 1 && sample.bytes > 0) by_class_[sample.link_class].push_back(sample);
    }
  }

  void fit_all(Calibration& calibration) {
    for (const auto& [link_class, samples] : by_class_) calibration.links[link_class] = fit_link(samples);
  }

  void holdout_errors(std::vector<double>& errors) {
    for (const auto& [link_class, samples] : by_class_) {
      const SizedSamples<CollectiveSample> sized{samples, [](const CollectiveSample& s) { return s.bytes; }};
      const std::set<double> out = sized.left_out_sizes();
      std::vector<CollectiveSample> kept;
      for (const CollectiveSample& sample : samples)
        if (!out.contains(sample.bytes)) kept.push_back(sample);
      if (out.empty() || kept.empty()) continue;
      const RateFit fit = fit_rates(kEfficiency, observations_of(kept));
      for (const RateObservation& seen : observations_of(samples))
        if (out.contains(seen.terms.front().places.front()))
          errors.push_back(std::abs(fitted_seconds(fit, seen) / seen.seconds - 1));
    }
  }

 private:
  /// In units of the nominal edge: amount / efficiency = seconds.
  std::vector<RateObservation> observations_of(const std::vector<CollectiveSample>& samples) {
    std::vector<RateObservation> observations;
    for (const CollectiveSample& sample : samples) {
      const Group group = group_of(sample.ranks);
      RateObservation seen;
      seen.fixed = 1;  // the launch counts as one more round
      double nominal_seconds = 0;
      for (const Phase& phase :
           collective_algorithm(sample.algorithm).phases(CollectiveKind::all_reduce, group.shape, sample.bytes)) {
        seen.fixed += phase.rounds;
        nominal_seconds += phase.bytes_per_edge / capacities_.capacity(group, phase.scope).within_node;
      }
      seen.terms.push_back({nominal_seconds, {sample.bytes}});
      seen.seconds = sample.seconds;
      observations.push_back(std::move(seen));
    }
    return observations;
  }

  LinkCalibration fit_link(const std::vector<CollectiveSample>& samples) {
    const RateFit fit = fit_rates(kEfficiency, observations_of(samples));
    const double ln_sd = std::max(kLeastLnSd, fit.ln_sd);
    const std::string source = fmt::format("fit of {} timed all-reduces", samples.size());
    RateCurve curve = fit.curves.front().front();
    double best = 0;
    for (const RateCurve::Point& point : curve.points) best = std::max(best, point.rate);
    for (RateCurve::Point& point : curve.points) point.rate /= best;
    LinkCalibration link;
    link.launch_seconds = link.alpha_seconds = {fit.fixed_seconds, ln_sd, Origin::fitted, source};
    link.efficiency = {best, ln_sd, Origin::fitted, source};
    link.size_factor = described(std::move(curve), ln_sd, source);
    return link;
  }

  CapacityTable capacities_;
  std::map<std::string, std::vector<CollectiveSample>> by_class_;
};

/// Played step seconds of a sample under a calibration.
double played(const StepSample& sample, const Topology& topology, const Calibration& calibration) {
  return closed_form_step_seconds(WalkProgram(sample.plan), walk_times(sample.plan, topology, calibration));
}

/// What one-device steps take beyond their ops: of all the rests, the one that suits all steps best.
void fit_step_overhead(const std::vector<StepSample>& steps, const Topology& topology, Calibration& calibration) {
  struct Step {
    double played = 0, measured = 0;
  };
  std::vector<Step> alone;
  calibration.step_overhead_seconds.value = 0;
  for (const StepSample& sample : steps)
    if (sample.devices == 1) alone.push_back({played(sample, topology, calibration), sample.step_seconds});
  if (alone.empty()) return;
  const auto misfit = [&](double overhead) {
    double sum = 0;
    for (const Step& step : alone) sum += std::abs(std::log((step.played + overhead) / step.measured));
    return sum;
  };
  double best = 0;
  for (const Step& step : alone)
    if (const double rest = step.measured - step.played; rest > 0 && misfit(rest) < misfit(best)) best = rest;
  calibration.step_overhead_seconds = {best, 0.3, Origin::fitted,
                                       fmt::format("what {} one-device steps take beyond their ops", alone.size())};
}

/// The slowdown under which steps on several devices come out best.
void fit_overlap(const std::vector<StepSample>& steps, const Topology& topology, Calibration& calibration) {
  std::vector<const StepSample*> parallel;
  for (const StepSample& sample : steps)
    if (sample.devices > 1) parallel.push_back(&sample);
  if (parallel.empty()) return;
  constexpr int kSteps = 50;
  double least = std::numeric_limits<double>::infinity(), best = 0;
  for (int i = 0; i <= kSteps; ++i) {
    calibration.overlap_slowdown.value = double(i) / kSteps;
    double sum = 0;
    for (const StepSample* sample : parallel)
      sum += std::abs(std::log(played(*sample, topology, calibration) / sample->step_seconds));
    if (sum >= least) continue;
    least = sum;
    best = calibration.overlap_slowdown.value;
  }
  calibration.overlap_slowdown = {best, 0.2, Origin::fitted,
                                  fmt::format("{} steps on several devices", parallel.size())};
}

}  // namespace

Calibration fit_calibration(const CalibrationSamples& samples, const Calibration& start, const Topology& topology) {
  if (samples.ops.empty())
    throw_bad_input({"calibration", "no timed operation", "at least one", "allow more time with --time-budget"});
  Calibration calibration = start;
  calibration.origin = Origin::fitted;
  const OpFitter ops(samples.ops);
  LinkFitter links(samples.collectives, topology);
  std::vector<double> errors;
  ops.holdout_errors(errors);
  links.holdout_errors(errors);
  calibration.holdout_error.reset();
  if (!errors.empty()) calibration.holdout_error = median(errors);
  ops.fit_all(calibration);
  links.fit_all(calibration);
  if (calibration.crowding.value < 1) calibration.crowding = {1, 0, Origin::assumed, "no sample with all devices busy"};
  fit_crowding(samples.ops, calibration);
  fit_step_overhead(samples.steps, topology, calibration);
  fit_overlap(samples.steps, topology, calibration);
  return calibration;
}

}  // namespace dtbench
