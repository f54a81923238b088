// The dependencies of a plan follow from what its operations read and write; nobody writes them by hand.
#pragma once

#include "engine/plan/step_plan.h"

namespace dtbench {

/// Fills `after` of every op with what its stream's order doesn't ensure already: a later access of the same bytes
/// waits for the earlier one (in list order, then over steps) when one of the two writes. Nothing that another
/// dependency implies is added. Dependencies that stand there already are kept.
void derive_dependencies(RankClass& cls);

}  // namespace dtbench
