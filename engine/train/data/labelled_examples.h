// Examples with a class each (Dataset) for models that read features and labels.
#pragma once

#include "engine/train/data/dataset.h"
#include "engine/train/data/example_set.h"

namespace dtbench {

/// Both halves of a data set, ready for the trainer.
TrainingData labelled_data(SplitDataset split);

}  // namespace dtbench
