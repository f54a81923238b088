#include "bench/validation/precision_table.h"

#include "bench/validation/scaling_table.h"

namespace dtbench {

namespace {

PublishedSide side_of(const CsvRow& line, const std::string& side) {
  PublishedSide read;
  read.id = line.text(side + "_id");
  read.precision = line.required(side + "_precision");
  read.batch_per_device = line.optional_positive(side + "_batch_per_device").value_or(0);
  read.value = line.positive(side + "_value");
  return read;
}

PublishedPair pair_of(const CsvRow& line) {
  PublishedPair pair;
  pair.id = line.required("pair");
  for (const auto& [member, column] : {std::pair{&PublishedPair::source, "source"},
                                       {&PublishedPair::framework, "framework"},
                                       {&PublishedPair::model, "model"},
                                       {&PublishedPair::topology, "topology"},
                                       {&PublishedPair::unit, "unit"}})
    pair.*member = line.required(column);
  pair.device = line.text("device");
  pair.compiler = line.text("compiler");
  pair.system = without_counts(pair.topology);
  pair.line = line.line();
  pair.devices = static_cast<int>(line.count("devices"));
  pair.sequence_length = line.optional_positive("seq_len").value_or(0);
  pair.base = side_of(line, "base");
  pair.mixed = side_of(line, "mixed");
  return pair;
}

}  // namespace

std::vector<std::string> precision_columns() {
  return {"pair",           "source",          "framework",  "model",       "topology", "devices",
          "base_precision", "mixed_precision", "base_value", "mixed_value", "unit"};
}

std::vector<PublishedPair> read_precision_table(const CsvTable& table) {
  std::vector<PublishedPair> pairs;
  for (std::size_t i = 0; i < table.size(); ++i) pairs.push_back(pair_of(table.row(i)));
  return pairs;
}

}  // namespace dtbench
