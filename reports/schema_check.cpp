#include "reports/schema_check.h"

#include <fmt/core.h>

#include <filesystem>
#include <nlohmann/json.hpp>

// g++ 12 takes std::regex, which valijson uses, for uninitialised when it instruments for AddressSanitizer (PR105562).
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
// Without it valijson aborts the program on a schema that it can't read.
#define VALIJSON_USE_EXCEPTIONS 1
#include <valijson/adapters/nlohmann_json_adapter.hpp>
#include <valijson/schema.hpp>
#include <valijson/schema_parser.hpp>
#include <valijson/validation_results.hpp>
#include <valijson/validator.hpp>

#include "topologies/base/json_reader.h"

namespace dtbench {

namespace {

using Adapter = valijson::adapters::NlohmannJsonAdapter;
namespace fs = std::filesystem;

constexpr std::string_view kFileScheme = "file://";

// valijson adapts only the unordered kind.
nlohmann::json unordered(const Json& json) { return nlohmann::json::parse(json.dump()); }

// valijson joins relative references without regard to folders, so they are made absolute first. References within the
// root document stay as they are.
void make_references_absolute(nlohmann::json& node, const fs::path& file, bool is_root) {
  if (node.is_object())
    if (const auto ref = node.find("$ref"); ref != node.end() && ref->is_string()) {
      const std::string text = ref->get<std::string>();
      const std::size_t hash = std::min(text.find('#'), text.size());
      const fs::path target = hash == 0 ? file : file.parent_path() / text.substr(0, hash);
      if (hash != 0 || !is_root)
        *ref = std::string(kFileScheme) + target.lexically_normal().string() + text.substr(hash);
    }
  if (node.is_structured())
    for (nlohmann::json& child : node) make_references_absolute(child, file, is_root);
}

nlohmann::json load_schema(const fs::path& file, bool is_root) {
  nlohmann::json schema = unordered(load_json_file(file.string()));
  make_references_absolute(schema, file, is_root);
  return schema;
}

const nlohmann::json* fetch(const std::string& uri) {
  if (uri.substr(0, kFileScheme.size()) != kFileScheme) return nullptr;
  return new nlohmann::json(load_schema(uri.substr(kFileScheme.size()), false));
}

void parse_schema(const fs::path& file, valijson::Schema& schema) {
  const nlohmann::json document = load_schema(file, true);
  try {
    valijson::SchemaParser().populateSchema(Adapter(document), schema, fetch,
                                            [](const nlohmann::json* fetched) { delete fetched; });
  } catch (const std::runtime_error& error) {
    throw_bad_input({file.string(), fmt::format("not a schema: {}", error.what()), "a draft-07 schema", ""});
  }
}

// valijson writes the way to a node as {"<root>", "[points]", "[0]"}.
std::string pointer_of(const std::vector<std::string>& context) {
  std::string pointer;
  for (std::size_t i = 1; i < context.size(); ++i) pointer += "/" + context[i].substr(1, context[i].size() - 2);
  return pointer;
}

}  // namespace

std::vector<SchemaFault> schema_faults(const std::string& json_text, const std::string& schema_path) {
  const nlohmann::json document = unordered(parse_json(json_text, "document"));
  valijson::Schema schema;
  parse_schema(fs::absolute(schema_path), schema);
  valijson::ValidationResults results;
  std::vector<SchemaFault> faults;
  if (valijson::Validator().validate(schema, Adapter(document), &results)) return faults;
  for (const auto& error : results) faults.push_back({pointer_of(error.context), error.description});
  return faults;
}

}  // namespace dtbench
