// Sentences and short texts that several report formats share.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>

#include "reports/run_result.h"

namespace dtbench {

/// "mlp (hidden=4096, layers=4): 53.6 M parameters, 107 MFLOP forward per image"
std::string model_text(const ModelReport& model);
/// "mirrored, float32, momentum; weak scaling: 128 images per device"
std::string training_text(const RunResult& result);
/// "'host' (measured here): 3.1 % off on sizes left out of the fit"
std::string calibration_text(const CalibrationReport& calibration);
/// "hidden=4096, layers=4"
std::string options_text(const std::map<std::string, std::int64_t>& options);
/// "dtbench took 3.24 s: measure 2.60 s, plan 13.1 ms", longest phase first; "" for nothing
std::string timing_text(const std::map<std::string, double>& seconds_by_phase);
/// "1 device", "8 devices"
std::string devices_count(int devices);
/// "0.98": predicted / measured
std::string ratio_text(double ratio);

}  // namespace dtbench
