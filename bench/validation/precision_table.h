// The table of published pairs: one training job in full and in mixed precision, all else the same but the batch.
#pragma once

#include <string>
#include <vector>

#include "topologies/base/csv_reader.h"

namespace dtbench {

/// One side of a pair: what was set and what came out, of the whole machine, in the pair's unit.
struct PublishedSide {
  std::string id, precision;
  double batch_per_device = 0;  ///< 0 = not published
  double value = 0;
};

struct PublishedPair {
  std::string id, source, framework, model, topology, device, compiler, unit;
  std::string system;  ///< the topology without its counts: "V100@dgx1"
  int line = 0, devices = 1;
  double sequence_length = 0;  ///< 0 = not published
  PublishedSide base, mixed;
  double gain() const { return mixed.value / base.value; }
};

std::vector<std::string> precision_columns();
std::vector<PublishedPair> read_precision_table(const CsvTable& table);

}  // namespace dtbench
