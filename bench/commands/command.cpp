#include "bench/commands/command.h"

namespace dtbench {

std::function<int()> declare_run(CLI::App& app);
std::function<int()> declare_train(CLI::App& app);
std::function<int()> declare_calibrate(CLI::App& app);
std::function<int()> declare_verify(CLI::App& app);
std::function<int()> declare_validate(CLI::App& app);
std::function<int()> declare_plan_listing(CLI::App& app);
std::function<int()> declare_topology(CLI::App& app);
std::function<int()> declare_model(CLI::App& app);
std::function<int()> declare_devices(CLI::App& app);
std::function<int()> declare_bench(CLI::App& app);
std::function<int()> declare_compare(CLI::App& app);

std::span<const Command> commands() {
  static constexpr Command table[] = {
      {"run", "predict a training run, measure what can be measured here, report both", declare_run},
      {"train", "train for real on this host", declare_train},
      {"calibrate", "measure this host and write its calibration", declare_calibrate},
      {"verify", "calibrate on some sizes, predict others, then measure them", declare_verify},
      {"validate", "predict published measurements and say how far off that is", declare_validate},
      {"plan-listing", "print the plan of one training step", declare_plan_listing},
      {"topology", "list and show machines", declare_topology},
      {"model", "list and show models", declare_model},
      {"compare", "tell whether one result is worse than another, for continuous integration", declare_compare},
      {"devices", "show what this machine can run", declare_devices},
      {"bench", "measure how fast this host trains", declare_bench},
  };
  return table;
}

}  // namespace dtbench
