// The machine as measured: what part of the data sheet is reached, and how sure we are.
//
// A calibration is data (topologies/calibrations/*.json, `dtbench.calibration/1`): made by `dtbench calibrate`, or
// written from published figures. A data-sheet calibration has origin `data_sheet` and is reported as "uncalibrated".
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "topologies/arithmetic.h"
#include "topologies/topology.h"

namespace dtbench {

enum class Origin { measured, fitted, data_sheet, assumed };
std::string_view name_of(Origin origin);

/// The most that a logarithm may scatter: a factor of 150 either way is already no knowledge at all.
inline constexpr double kLargestLnSd = 5;

/// A number with its uncertainty: the true value is log-normal around `value` with standard deviation `ln_sd` of its
/// logarithm (0.05 = about 5 %).
struct Parameter {
  double value = 0;
  double ln_sd = 0;
  Origin origin = Origin::assumed;
  std::string source;  ///< where from, or how measured
  bool operator==(const Parameter&) const = default;
};

/// Rate reached by one kind of operation as a function of its size; interpolated in log-log, constant outside.
struct RateCurve {
  struct Point {
    double work = 0;  ///< FLOPs (compute-bound kinds) or bytes (memory-bound kinds) of one call
    double rate = 0;  ///< FLOP/s or bytes/s
    bool operator==(const Point&) const = default;
  };
  std::vector<Point> points;  ///< ascending in work, at least one
  double ln_sd = 0;           ///< of the rate inside the range of the points
  Origin origin = Origin::assumed;
  std::string source;
  bool operator==(const RateCurve&) const = default;
};

/// seconds(op) = overhead_seconds + flops / flop_rate(flops) + bytes / byte_rate(bytes); an absent curve adds nothing.
/// Two factors (the `rate` of their curves) make the rates depend on more than the size of the call; absent = 1.
struct OpCalibration {
  Parameter overhead_seconds;  ///< per call: launch and set-up
  std::optional<RateCurve> flop_rate;
  std::optional<RateCurve> byte_rate;
  /// Factor on flop_rate, or on byte_rate when there is no flop_rate, by the elements in the shortest matrix row of the
  /// call: ten columns fill no vector unit.
  std::optional<RateCurve> width_factor;
  /// Factor on byte_rate by the bytes that a whole step touches on a rank: what does not stay in a cache until it is
  /// used again comes from memory.
  std::optional<RateCurve> cold_factor;
  bool operator==(const OpCalibration&) const = default;
};

/// A transfer of S bytes over one hop of this link class takes alpha + S / bandwidth; a collective starts with
/// `launch_seconds` once.
struct LinkCalibration {
  Parameter launch_seconds;
  Parameter alpha_seconds;  ///< per round
  Parameter efficiency;     ///< reached bandwidth / nominal bandwidth
  /// Factor on `efficiency` (the `rate`) as a function of the bytes of the call (the `work`); absent = 1. Shared memory
  /// needs it: a buffer that fits the cache moves faster than one that does not.
  std::optional<RateCurve> size_factor;
  bool operator==(const LinkCalibration&) const = default;
};

struct Calibration {
  std::string name;                     ///< "a100-sxm4-80gb data sheet", "host 2026-11-30"
  std::string device;                   ///< canonical device name it was made for
  Origin origin = Origin::data_sheet;   ///< of the whole: the least trustworthy part that matters
  std::optional<double> holdout_error;  ///< median |error| on sizes left out of the fit; null when never checked
  /// Key "<op kind>/<arithmetic>", e.g. "dense/float32"; "<op kind>/*" and "*/*" are fallbacks, tried in this order.
  std::map<std::string, OpCalibration> ops;
  std::map<std::string, LinkCalibration> links;  ///< by Tier::link_class; "*" is the fallback
  /// Step time that no operation explains (framework, input, jitter), once per step.
  Parameter step_overhead_seconds;
  /// Fraction of a communication's time that concurrent compute on the same device loses to it: about 0.1 on a GPU (SMs
  /// and memory bandwidth), 1 where one core does both.
  Parameter overlap_slowdown;
  /// Factor on compute time when all devices of a node are busy at once (shared memory bandwidth, clock); 1 on a GPU.
  Parameter crowding;
  std::map<std::string, std::string> conditions;  ///< CPU, ISA, library versions, date: compared before reuse
  /// Step time that no operation explains and that only steps on several devices have: launching and awaiting
  /// collectives, stragglers. Absent in a file = 0.
  Parameter parallel_overhead_seconds;
  bool operator==(const Calibration&) const = default;

  /// The entry that applies, by the fallback order above; a bad-input error that names the calibration when there is
  /// none.
  const OpCalibration& op(std::string_view kind, Arithmetic arithmetic) const;
  const LinkCalibration& link(std::string_view link_class) const;
};

/// Rate at a size: log-log interpolation between points, the end points' rate outside.
double rate_at(const RateCurve& curve, double work);
/// True inside [first, last] point, where `ln_sd` holds; predictions outside widen their band.
bool covers(const RateCurve& curve, double work);

std::string calibration_to_json_text(const Calibration& calibration);
Calibration calibration_from_json_file(const std::string& path);
/// The calibration shipped for a device: `calibrations/<device>.json`, else built from the data sheet by the rules in
/// `calibrations/data_sheet.json`; origin data_sheet, wide bands, never silent about it.
Calibration shipped_calibration(const Topology& topology, const std::string& directory);

}  // namespace dtbench
