// Reading JSON strictly: exact key sets, typed fields, and messages that carry file and JSON pointer.
//
// A misspelt key is an error with the nearest right spelling, never a silent default.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "topologies/base/error.h"

namespace dtbench {

using Json = nlohmann::ordered_json;

/// One JSON object being read. Call the typed getters for each known key, then `finish()`, which refuses the rest.
/// The document must outlive the reader.
class JsonReader {
 public:
  JsonReader(const Json& object, std::string file, std::string pointer = "");

  bool has(const std::string& key);
  double number(const std::string& key);  ///< finite
  double number_or(const std::string& key, double fallback);
  double positive(const std::string& key);  ///< > 0
  std::int64_t integer(const std::string& key, std::int64_t minimum);
  std::int64_t integer_or(const std::string& key, std::int64_t minimum, std::int64_t fallback);
  bool boolean_or(const std::string& key, bool fallback);
  std::string string(const std::string& key);
  std::string string_or(const std::string& key, std::string fallback);
  std::string choice(const std::string& key, const std::vector<std::string>& allowed);
  JsonReader object(const std::string& key);
  std::vector<JsonReader> objects(const std::string& key);  ///< an array of objects; absent = empty
  std::vector<double> numbers(const std::string& key);      ///< an array of finite numbers
  std::vector<std::string> strings(const std::string& key);
  std::map<std::string, std::string> string_map(const std::string& key);  ///< {name: text}
  std::map<std::string, double> number_map(const std::string& key);       ///< {name: number}
  const Json& raw(const std::string& key);                                ///< any value

  /// Refuses keys that no getter asked for.
  void finish() const;

  /// "file:/pointer/key", for messages of the caller's own.
  std::string where(const std::string& key = "") const;
  [[noreturn]] void fail(const std::string& key, std::string found, std::string expected, std::string hint = "") const;

 private:
  const Json* find(const std::string& key);
  const Json& require(const std::string& key);

  const Json& object_;
  std::string file_, pointer_;
  std::vector<std::string> known_;
};

/// Parses a file. Errors carry file:line:column. Refuses duplicate keys, depth over 64 and files over 64 MiB.
Json load_json_file(const std::string& path);
Json parse_json(const std::string& text, const std::string& name);

/// Writes `text` so that a reader sees the old file or the new one, never half: temporary file beside it, then rename.
/// Follows links; devices and pipes are written through.
void write_file_atomically(const std::string& path, const std::string& text);
/// Throws unless `write_file_atomically(path, ...)` would succeed; called before the work, not after.
void require_writable(const std::string& path, const std::string& option);

}  // namespace dtbench
