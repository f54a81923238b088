// Every schema against the meta-schema, every committed JSON file against the schema that it names.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "reports/schema_check.h"
#include "topologies/base/json_reader.h"

namespace dtbench {
namespace {

namespace fs = std::filesystem;

const fs::path kSource = DTBENCH_SOURCE_DIRECTORY;
const std::string kMetaSchema = kSource / "tests/schema/meta.schema.json";

bool is_schema(const fs::path& path) { return path.string().ends_with(".schema.json"); }

std::vector<fs::path> json_files(bool schemas) {
  std::vector<fs::path> files;
  for (const char* folder : {"topologies", "reports"})
    for (const auto& entry : fs::recursive_directory_iterator(kSource / folder))
      if (entry.path().extension() == ".json" && is_schema(entry.path()) == schemas) files.push_back(entry.path());
  return files;
}

std::string text_of(const fs::path& path) {
  std::stringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

std::string described(const std::vector<SchemaFault>& faults) {
  std::string text;
  for (const SchemaFault& fault : faults) text += "\n  " + fault.pointer + ": " + fault.text;
  return text;
}

// "dtbench.run/1" -> path of the schema that demands it.
std::map<std::string, fs::path> schemas_by_name() {
  std::map<std::string, fs::path> schemas;
  for (const fs::path& path : json_files(true)) {
    const Json::json_pointer name("/properties/schema/const");
    const Json schema = load_json_file(path);
    if (!schema.contains(name)) continue;
    EXPECT_TRUE(schemas.emplace(schema.at(name), path).second) << path << " repeats a name";
  }
  return schemas;
}

void for_each_node(const Json& node, const std::function<void(const Json&)>& visit) {
  visit(node);
  if (node.is_structured())
    for (const Json& child : node) for_each_node(child, visit);
}

TEST(MetaSchema, DescribesItself) { EXPECT_EQ(described(schema_faults(text_of(kMetaSchema), kMetaSchema)), ""); }

TEST(MetaSchema, RefusesWhatIsNoDraftSevenSchema) {
  for (const char* bad : {R"({"type": "strnig"})", R"({"propertys": {}})", R"({"required": "name"})",
                          R"({"minimum": "0"})", R"({"exclusiveMinimum": true})", R"({"enum": []})",
                          R"({"properties": {"a": {"minLength": -1}}})", R"({"anyOf": []})", R"(["type"])"})
    EXPECT_NE(described(schema_faults(bad, kMetaSchema)), "") << bad;
}

TEST(Schemas, FollowTheMetaSchema) {
  const auto schemas = json_files(true);
  EXPECT_GE(schemas.size(), 8u);
  for (const fs::path& path : schemas)
    EXPECT_EQ(described(schema_faults(text_of(path), kMetaSchema)), "") << path.filename();
}

TEST(Schemas, CanBeRead) {
  // References are followed only while reading: a broken one throws.
  for (const fs::path& path : json_files(true)) EXPECT_NO_THROW(schema_faults("{}", path)) << path.filename();
}

TEST(Schemas, RequireOnlyWhatTheyDescribeAndCloseTheirObjects) {
  for (const fs::path& path : json_files(true))
    for_each_node(load_json_file(path), [&](const Json& node) {
      if (!node.is_object() || !node.contains("properties") || !node.contains("type")) return;
      if (node.at("type") != "object") return;
      EXPECT_TRUE(node.contains("additionalProperties")) << path.filename() << ": " << node.dump().substr(0, 120);
      if (!node.contains("required")) return;
      for (const Json& key : node.at("required"))
        EXPECT_TRUE(node.at("properties").contains(key.get<std::string>())) << path.filename() << ": " << key;
    });
}

TEST(CommittedJson, FollowsTheSchemaThatItNames) {
  const auto schemas = schemas_by_name();
  const auto files = json_files(false);
  EXPECT_GE(files.size(), 30u);
  for (const fs::path& path : files) {
    const Json json = load_json_file(path);
    ASSERT_TRUE(json.is_object() && json.contains("schema")) << path << " does not name its schema";
    const std::string name = json.at("schema");
    const auto schema = schemas.find(name);
    if (schema == schemas.end())
      ADD_FAILURE() << path << ": no *.schema.json describes " << name;
    else
      EXPECT_EQ(described(schema_faults(text_of(path), schema->second)), "") << path;
  }
}

}  // namespace
}  // namespace dtbench
