// The table of published training throughputs: lines to series, one training job on growing numbers of devices.
#pragma once

#include <string>
#include <vector>

#include "reports/validate_result.h"
#include "topologies/base/csv_reader.h"

namespace dtbench {

/// One published throughput: the whole machine's, in `unit`.
struct PublishedRow {
  std::string id, series, source, framework, model, task, dataset, topology, device, precision, unit, notes;
  std::string system;  ///< the topology without its counts: "V100@dgx1"
  int line = 0, devices = 1, nodes = 1;
  double batch_per_device = 0;  ///< of one pass; 0 = not published
  double accumulation = 1;      ///< passes between two optimizer steps
  double sequence_length = 0;   ///< 0 = not published
  double value = 0;
};

struct PublishedSeries {
  std::string name;
  std::vector<PublishedRow> anchors;  ///< at the smallest device count
  std::vector<PublishedRow> targets;
  double anchor_value() const;  ///< geometric mean
};

struct ScalingTable {
  std::vector<PublishedSeries> series;  ///< with at least one target, in the order of the file
  std::vector<RowNote> skipped;
};

/// "4x8xV100@dgx1" -> "V100@dgx1"
std::string without_counts(std::string topology);

std::vector<std::string> scaling_columns();
ScalingTable read_scaling_table(const CsvTable& table);

}  // namespace dtbench
