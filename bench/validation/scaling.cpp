// dtbench validate --kind scaling: throughput on many devices from throughput on few.
#include "bench/validation/kind.h"
#include "bench/validation/scaling_table.h"

namespace dtbench {

namespace {

/// Of linear scaling on published machines: what a first look at the data shows.
constexpr double kLinearLow = 0.6, kLinearHigh = 1.03;

void predict(const CsvTable& table, LeftOut, ValidateResult& result) {
  ScalingTable published = read_scaling_table(table);
  result.parameters = "none: linear scaling";
  result.skipped = std::move(published.skipped);
  for (const PublishedSeries& series : published.series)
    for (const PublishedRow& row : series.targets) {
      const double linear = series.anchor_value() * row.devices / series.anchors.front().devices;
      result.rows.push_back({row.id,
                             row.series,
                             {{"source", row.source},
                              {"model", row.model},
                              {"system", row.system},
                              {"devices", std::to_string(row.devices)}},
                             row.unit,
                             row.value,
                             linear,
                             linear * kLinearLow,
                             linear * kLinearHigh});
    }
}

}  // namespace

ValidationKind scaling_validation() {
  return {"scaling",
          "training throughput on many devices, from that on few",
          "scaling.csv",
          scaling_columns,
          [] { return std::vector{LeftOut::system, LeftOut::model, LeftOut::source}; },
          predict};
}

}  // namespace dtbench
