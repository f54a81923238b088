#include "bench/validation/scaling_table.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace dtbench {

namespace {

PublishedRow published_row(const CsvRow& line) {
  PublishedRow row;
  for (const auto& [member, column] : {std::pair{&PublishedRow::id, "id"},
                                       {&PublishedRow::series, "series"},
                                       {&PublishedRow::source, "source"},
                                       {&PublishedRow::framework, "framework"},
                                       {&PublishedRow::model, "model"},
                                       {&PublishedRow::topology, "topology"},
                                       {&PublishedRow::unit, "unit"}})
    row.*member = line.required(column);
  for (const auto& [member, column] : {std::pair{&PublishedRow::task, "task"},
                                       {&PublishedRow::dataset, "dataset"},
                                       {&PublishedRow::device, "device"},
                                       {&PublishedRow::precision, "precision"},
                                       {&PublishedRow::notes, "notes"}})
    row.*member = line.text(column);
  row.system = without_counts(row.topology);
  row.line = line.line();
  row.devices = static_cast<int>(line.count("devices"));
  row.nodes = static_cast<int>(line.optional_count("nodes").value_or(1));
  if (row.nodes > row.devices) line.fail("nodes", "at most as many as devices");
  row.batch_per_device = line.optional_positive("batch_per_device").value_or(0);
  row.accumulation = line.optional_positive("grad_accum").value_or(1);
  row.sequence_length = line.optional_positive("seq_len").value_or(0);
  if (row.batch_per_device == 0)
    if (const auto global = line.optional_positive("global_batch"))
      row.batch_per_device = *global / row.devices / row.accumulation;
  row.value = line.positive("value");
  return row;
}

/// The rows of one name split into anchors and targets.
PublishedSeries series_of(const std::string& name, const std::vector<PublishedRow>& rows) {
  PublishedSeries series{name, {}, {}};
  const int fewest = std::min_element(rows.begin(), rows.end(), [](const PublishedRow& a, const PublishedRow& b) {
                       return a.devices < b.devices;
                     })->devices;
  for (const PublishedRow& row : rows) (row.devices == fewest ? series.anchors : series.targets).push_back(row);
  return series;
}

}  // namespace

double PublishedSeries::anchor_value() const {
  double sum = 0;
  for (const PublishedRow& anchor : anchors) sum += std::log(anchor.value);
  return std::exp(sum / double(anchors.size()));
}

/// Leading parts that are numbers are counts.
std::string without_counts(std::string topology) {
  for (;;) {
    const std::size_t digits = topology.find_first_not_of("0123456789");
    if (digits == 0 || digits == std::string::npos || topology[digits] != 'x') return topology;
    topology.erase(0, digits + 1);
  }
}

std::vector<std::string> scaling_columns() {
  return {"series",  "id",        "source", "framework",        "model",      "topology",
          "devices", "precision", "value",  "batch_per_device", "grad_accum", "unit"};
}

ScalingTable read_scaling_table(const CsvTable& table) {
  std::vector<std::string> order;
  std::map<std::string, std::vector<PublishedRow>> rows_of;
  for (std::size_t i = 0; i < table.size(); ++i) {
    PublishedRow row = published_row(table.row(i));
    std::vector<PublishedRow>& rows = rows_of[row.series];
    if (rows.empty()) order.push_back(row.series);
    if (!rows.empty() && rows.front().unit != row.unit)
      table.row(i).fail("unit", "'" + rows.front().unit + "', as the rows of this series above have");
    rows.push_back(std::move(row));
  }
  ScalingTable read;
  for (const std::string& name : order) {
    PublishedSeries series = series_of(name, rows_of[name]);
    if (!series.targets.empty()) {
      read.series.push_back(std::move(series));
      continue;
    }
    for (const PublishedRow& row : series.anchors)
      read.skipped.push_back({row.id, row.line, "its series has one device count only: nothing to predict from it"});
  }
  return read;
}

}  // namespace dtbench
