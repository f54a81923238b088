// What is said of a metric and of a whole comparison.
#pragma once

#include <span>
#include <string_view>

#include "topologies/base/error.h"

namespace dtbench {

enum class Verdict { pass, improved, regressed, inconclusive, incomparable };

std::string_view name_of(Verdict verdict);
ExitCode exit_code_of(Verdict verdict);

/// The first of these that occurs: regressed, inconclusive, improved, pass; incomparable when nothing was compared.
Verdict overall_verdict(std::span<const Verdict> verdicts);

}  // namespace dtbench
