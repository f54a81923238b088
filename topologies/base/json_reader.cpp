#include "topologies/base/json_reader.h"

#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>

#include "topologies/base/suggest.h"

namespace dtbench {

namespace {

constexpr int kMaxDepth = 64;
constexpr double kSmallestValue = 1e-30, kLargestValue = 1e30;
constexpr std::size_t kMaxFileBytes = 64u << 20;

// Cut between characters, so that a message stays UTF-8.
std::string shorten(const std::string& text) {
  if (text.size() <= 60) return text;
  std::size_t end = 57;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) --end;
  return text.substr(0, end) + "...";
}

// What the parser quotes of a broken file may be any bytes.
std::string plain_text(std::string text) {
  std::replace_if(
      text.begin(), text.end(), [](char c) { return c < ' ' || c > '~'; }, '?');
  return text;
}

std::string describe(const Json& value) {
  return fmt::format("{} {}", value.type_name(), shorten(value.dump(-1, ' ', false, Json::error_handler_t::replace)));
}

std::string escape_pointer(const std::string& key) {
  std::string escaped;
  for (const char c : key) escaped += c == '~' ? "~0" : c == '/' ? "~1" : std::string(1, c);
  return escaped;
}

std::string line_and_column(const std::string& text, std::size_t byte) {
  const std::size_t end = std::min(byte == 0 ? 0 : byte - 1, text.size());
  const auto line = 1 + std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(end), '\n');
  const std::size_t start = text.rfind('\n', end == 0 ? 0 : end - 1);
  const std::size_t column = start == std::string::npos || start >= end ? end + 1 : end - start;
  return fmt::format("{}:{}", line, column);
}

// nlohmann/json keeps the last of two equal keys in silence; a reader of specifications must not.
class DuplicateKeyGuard {
 public:
  explicit DuplicateKeyGuard(const std::string& name) : name_(name) {}
  bool operator()(int depth, Json::parse_event_t event, Json& parsed) {
    if (depth > kMaxDepth) throw_bad_input({name_, fmt::format("nesting deeper than {}", kMaxDepth), "", ""});
    if (event == Json::parse_event_t::object_start) keys_.emplace_back();
    if (event == Json::parse_event_t::object_end) keys_.pop_back();
    if (event == Json::parse_event_t::key && !keys_.back().insert(parsed.get<std::string>()).second)
      throw_bad_input(
          {name_, fmt::format("key '{}' twice in one object", parsed.get<std::string>()), "each key once", ""});
    return true;
  }

 private:
  std::string name_;
  std::vector<std::set<std::string>> keys_;
};

}  // namespace

JsonReader::JsonReader(const Json& object, std::string file, std::string pointer)
    : object_(object), file_(std::move(file)), pointer_(std::move(pointer)) {
  if (!object_.is_object()) throw_bad_input({where(), describe(object_), "an object", ""});
}

std::string JsonReader::where(const std::string& key) const {
  const std::string pointer = key.empty() ? pointer_ : pointer_ + "/" + escape_pointer(key);
  return file_ + ":" + (pointer.empty() ? "/" : pointer);
}

void JsonReader::fail(const std::string& key, std::string found, std::string expected, std::string hint) const {
  throw_bad_input({where(key), std::move(found), std::move(expected), std::move(hint)});
}

const Json* JsonReader::find(const std::string& key) {
  if (std::find(known_.begin(), known_.end(), key) == known_.end()) known_.push_back(key);
  const auto it = object_.find(key);
  return it == object_.end() ? nullptr : &*it;
}

const Json& JsonReader::require(const std::string& key) {
  const Json* value = find(key);
  if (value) return *value;
  std::vector<std::string> unknown;
  for (const auto& item : object_.items()) unknown.push_back(item.key());
  const std::string nearest = nearest_name(key, unknown);
  fail("", fmt::format("key '{}' is missing", key), "",
       nearest.empty() ? "" : fmt::format("is '{}' meant to be '{}'?", nearest, key));
}

bool JsonReader::has(const std::string& key) { return find(key) != nullptr; }
const Json& JsonReader::raw(const std::string& key) { return require(key); }

double JsonReader::number(const std::string& key) {
  const Json& value = require(key);
  if (!value.is_number() || !std::isfinite(value.get<double>())) fail(key, describe(value), "a finite number");
  return value.get<double>();
}

double JsonReader::number_or(const std::string& key, double fallback) { return has(key) ? number(key) : fallback; }

double JsonReader::positive(const std::string& key) {
  const double value = number(key);
  if (value <= 0) fail(key, fmt::format("{}", value), "a number above 0");
  // Beyond these no quantity is physical, and products of a few stay finite within them.
  if (value < kSmallestValue || value > kLargestValue)
    fail(key, fmt::format("{}", value), fmt::format("a number from {} to {}", kSmallestValue, kLargestValue));
  return value;
}

std::int64_t JsonReader::integer(const std::string& key, std::int64_t minimum) {
  const Json& value = require(key);
  const bool whole =
      value.is_number_integer() && !(value.is_number_unsigned() && value.get<std::uint64_t>() > INT64_MAX);
  if (!whole || value.get<std::int64_t>() < minimum)
    fail(key, describe(value), fmt::format("a whole number of at least {}", minimum));
  return value.get<std::int64_t>();
}

std::int64_t JsonReader::integer_or(const std::string& key, std::int64_t minimum, std::int64_t fallback) {
  return has(key) ? integer(key, minimum) : fallback;
}

bool JsonReader::boolean_or(const std::string& key, bool fallback) {
  const Json* value = find(key);
  if (!value) return fallback;
  if (!value->is_boolean()) fail(key, describe(*value), "true or false");
  return value->get<bool>();
}

std::string JsonReader::string(const std::string& key) {
  const Json& value = require(key);
  if (!value.is_string()) fail(key, describe(value), "a string");
  return value.get<std::string>();
}

std::string JsonReader::string_or(const std::string& key, std::string fallback) {
  return has(key) ? string(key) : std::move(fallback);
}

std::string JsonReader::choice(const std::string& key, const std::vector<std::string>& allowed) {
  std::string value = string(key);
  if (std::find(allowed.begin(), allowed.end(), value) == allowed.end())
    fail(key, fmt::format("'{}'", shorten(value)), one_of(allowed), did_you_mean(value, allowed));
  return value;
}

JsonReader JsonReader::object(const std::string& key) {
  return JsonReader(require(key), file_, pointer_ + "/" + escape_pointer(key));
}

std::vector<JsonReader> JsonReader::objects(const std::string& key) {
  std::vector<JsonReader> readers;
  const Json* value = find(key);
  if (!value) return readers;
  if (!value->is_array()) fail(key, describe(*value), "an array of objects");
  for (std::size_t i = 0; i < value->size(); ++i)
    readers.emplace_back((*value)[i], file_, fmt::format("{}/{}/{}", pointer_, escape_pointer(key), i));
  return readers;
}

std::vector<double> JsonReader::numbers(const std::string& key) {
  std::vector<double> values;
  const Json& array = require(key);
  if (!array.is_array()) fail(key, describe(array), "an array of numbers");
  for (std::size_t i = 0; i < array.size(); ++i) {
    if (!array[i].is_number() || !std::isfinite(array[i].get<double>()))
      throw_bad_input({fmt::format("{}/{}", where(key), i), describe(array[i]), "a finite number", ""});
    values.push_back(array[i].get<double>());
  }
  return values;
}

std::vector<std::string> JsonReader::strings(const std::string& key) {
  std::vector<std::string> values;
  const Json& array = require(key);
  if (!array.is_array()) fail(key, describe(array), "an array of strings");
  for (std::size_t i = 0; i < array.size(); ++i) {
    if (!array[i].is_string())
      throw_bad_input({fmt::format("{}/{}", where(key), i), describe(array[i]), "a string", ""});
    values.push_back(array[i].get<std::string>());
  }
  return values;
}

std::map<std::string, std::string> JsonReader::string_map(const std::string& key) {
  std::map<std::string, std::string> values;
  JsonReader reader = object(key);
  for (const auto& item : reader.object_.items()) values[item.key()] = reader.string(item.key());
  return values;
}

std::map<std::string, double> JsonReader::number_map(const std::string& key) {
  std::map<std::string, double> values;
  JsonReader reader = object(key);
  for (const auto& item : reader.object_.items()) values[item.key()] = reader.number(item.key());
  return values;
}

void JsonReader::finish() const {
  for (const auto& item : object_.items()) {
    if (std::find(known_.begin(), known_.end(), item.key()) != known_.end()) continue;
    std::vector<std::string> unused;
    for (const std::string& key : known_)
      if (!object_.contains(key)) unused.push_back(key);
    fail("", fmt::format("unknown key '{}'", shorten(item.key())), known_.empty() ? "no keys" : one_of(known_),
         did_you_mean(item.key(), unused));
  }
}

Json parse_json(const std::string& text, const std::string& name) {
  try {
    return Json::parse(text, DuplicateKeyGuard(name));
  } catch (const Json::parse_error& error) {
    std::string reason = error.what();
    const std::size_t start = reason.rfind("; ");
    reason = start == std::string::npos ? reason.substr(reason.find("] ") + 2) : reason.substr(start + 2);
    const std::string place = fmt::format("{}:{}", name, line_and_column(text, error.byte));
    const bool quotes = error.byte > 0 && error.byte <= text.size() && text[error.byte - 1] == '\'';
    throw_bad_input(
        {place, "not JSON: " + shorten(plain_text(reason)), "", quotes ? "JSON strings stand in double quotes" : ""});
  } catch (const Json::out_of_range&) {
    throw_bad_input({name, "a number too large for a double", "finite numbers", ""});
  }
}

Json load_json_file(const std::string& path) {
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored)) throw_bad_input({path, "a directory", "a JSON file", ""});
  std::ifstream in(path, std::ios::binary);
  if (!in) throw_bad_input({path, fmt::format("cannot be read: {}", std::generic_category().message(errno)), "", ""});
  std::string text;
  std::array<char, 1 << 16> block;
  while (in.read(block.data(), block.size()), in.gcount() > 0) {
    text.append(block.data(), static_cast<std::size_t>(in.gcount()));
    if (text.size() > kMaxFileBytes) throw_bad_input({path, "more than 64 MiB", "a smaller JSON file", ""});
  }
  return parse_json(text, path);
}

namespace {

namespace fs = std::filesystem;

// The file that a rename may replace: what a link points to; "" for devices, pipes and the like, which must be written
// through (a rename would put a plain file in the place of /dev/null).
fs::path replaceable(const std::string& path) {
  std::error_code error;
  const bool special = path.starts_with("/dev/") || path.starts_with("/proc/");
  const fs::file_status status = fs::status(path, error);
  if (special || (fs::exists(status) && !fs::is_regular_file(status))) return {};
  if (!fs::is_symlink(path, error)) return path;
  const fs::path target = fs::canonical(path, error);
  return error ? fs::path() : target;
}

std::string temporary_beside(const fs::path& path) { return fmt::format("{}.{}.tmp", path.string(), ::getpid()); }

}  // namespace

void write_file_atomically(const std::string& path, const std::string& text) {
  const fs::path target = replaceable(path);
  const std::string written = target.empty() ? path : temporary_beside(target);
  std::ofstream out(written, std::ios::binary);
  out << text;
  out.close();
  if (out && (target.empty() || std::rename(written.c_str(), target.c_str()) == 0)) return;
  const std::string reason = std::generic_category().message(errno);
  if (!target.empty()) std::remove(written.c_str());
  throw Error(ExitCode::run_failed, {path, fmt::format("cannot be written: {}", reason), "", ""});
}

void require_writable(const std::string& path, const std::string& option) {
  const fs::path parent = fs::path(path).has_parent_path() ? fs::path(path).parent_path() : fs::path(".");
  std::error_code ignored;
  const std::string place = fmt::format("{} {}", option, path);
  if (path.empty()) throw_bad_input({option, "an empty file name", "a path", ""});
  if (path == "-") throw_bad_input({option, "'-'", "a file name", "./- is a file of that name"});
  if (fs::is_directory(path, ignored)) throw_bad_input({place, "a directory", "a file name", ""});
  if (!fs::is_directory(parent, ignored))
    throw_bad_input({place, fmt::format("folder '{}' does not exist", parent.string()), "", "create it first"});
  const fs::path target = replaceable(path);
  bool written = ::access(path.c_str(), W_OK) == 0;
  int reason = errno;
  if (!target.empty()) {  // root may pass access(2) on a read-only mount or a full disk: really try
    const std::string probe = temporary_beside(target);
    written = (std::ofstream(probe) << "x").flush().good();
    reason = errno;
    std::remove(probe.c_str());
  }
  if (!written)
    throw_bad_input(
        {place, fmt::format("cannot be written: {}", std::generic_category().message(reason)), "a writable file", ""});
}

}  // namespace dtbench
