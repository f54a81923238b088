// Where the published measurements are that ship with the program.
#pragma once

#include <string>
#include <string_view>

namespace dtbench {

/// reports/published/data/<file>, beside topologies/ in the source tree as where `meson install` put it. The file need
/// not be there.
std::string published_data_file(std::string_view file);

}  // namespace dtbench
