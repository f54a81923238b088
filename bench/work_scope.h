// Which models at which precisions and replica counts a command measures: the options of those that take several.
#pragma once

#include <memory>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace dtbench {

struct WorkScope {
  std::vector<std::string> models = {"mlp"};
  std::vector<std::string> precisions = {"float32"};
  std::vector<int> replicas = {1};
};

/// --model NAME,NAME,... and --precision NAME,NAME,...: known, each once. What is not given stays as in `defaults`; the
/// replica counts are the command's.
std::shared_ptr<WorkScope> declare_work_scope(CLI::App& app, WorkScope defaults);

}  // namespace dtbench
