#include "bench/validation/published_data.h"

#include <filesystem>

#include "topologies/topology_library.h"

namespace dtbench {

std::string published_data_file(std::string_view file) {
  const std::filesystem::path topologies = std::filesystem::weakly_canonical(data_directory());
  return (topologies.parent_path() / "reports" / "published" / "data" / file).string();
}

}  // namespace dtbench
