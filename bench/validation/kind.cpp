#include "bench/validation/kind.h"

#include <fmt/core.h>

#include <array>

#include "topologies/base/error.h"
#include "topologies/base/suggest.h"

namespace dtbench {

ValidationKind precision_validation();
ValidationKind scaling_validation();

std::string_view name_of(GroupBy left_out) {
  constexpr std::array<std::string_view, 5> names = {"none", "system", "model", "source", "device"};
  return names[static_cast<std::size_t>(left_out)];
}

std::span<const ValidationKind> validation_kinds() {
  static const std::array table = {
      precision_validation(),
      scaling_validation(),
  };
  return table;
}

const ValidationKind& validation_kind(std::string_view name) {
  std::vector<std::string> names;
  for (const ValidationKind& kind : validation_kinds()) {
    if (kind.name == name) return kind;
    names.emplace_back(kind.name);
  }
  throw_bad_input({"--kind", fmt::format("unknown kind '{}'", name), one_of(names), did_you_mean(name, names)});
}

}  // namespace dtbench
