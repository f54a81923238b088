// Accuracy of trained parameters on a data set, by the forward part of the same model's plan.
#pragma once

#include "engine/runtime/engine_session.h"
#include "engine/train/data/dataset.h"

namespace dtbench {

/// Share of examples whose largest logit is their label. Copies the parameters of rank 0 of `trained` into `evaluator`,
/// a session of `plan_evaluation` for the same model; the last batch is padded and the padding not counted.
double test_accuracy(const EngineSession& trained, EngineSession& evaluator, const Dataset& dataset);

}  // namespace dtbench
