// Does a JSON text follow its schema (draft-07)? References to other files are looked up beside the schema file.
#pragma once

#include <string>
#include <vector>

namespace dtbench {

struct SchemaFault {
  std::string pointer;  ///< JSON pointer into the document, "" for its root
  std::string text;
  bool operator==(const SchemaFault&) const = default;
};

/// Empty when the document is valid. Error when the document is not JSON or the schema can't be read.
std::vector<SchemaFault> schema_faults(const std::string& json_text, const std::string& schema_path);

}  // namespace dtbench
