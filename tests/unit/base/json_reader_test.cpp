#include "topologies/base/json_reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/support/error_message.h"

namespace dtbench {
namespace {

using testing::AllOf;
using testing::HasSubstr;

TEST(JsonReader, GivesTypedValues) {
  const Json json = parse_json(R"({"n": 1.5, "i": 7, "b": true, "s": "t", "a": [1, 2], "w": ["x"],
                                   "o": {"k": 1}, "l": [{"k": 2}, {"k": 3}], "m": {"p": "q"}, "v": {"p": 4}})",
                               "f.json");
  JsonReader reader(json, "f.json");
  EXPECT_EQ(reader.number("n"), 1.5);
  EXPECT_EQ(reader.positive("n"), 1.5);
  EXPECT_EQ(reader.integer("i", 1), 7);
  EXPECT_TRUE(reader.boolean_or("b", false));
  EXPECT_EQ(reader.string("s"), "t");
  EXPECT_EQ(reader.numbers("a"), (std::vector<double>{1, 2}));
  EXPECT_EQ(reader.strings("w"), std::vector<std::string>{"x"});
  EXPECT_EQ(reader.object("o").number("k"), 1);
  std::vector<JsonReader> list = reader.objects("l");
  ASSERT_EQ(list.size(), 2u);
  EXPECT_EQ(list[1].number("k"), 3);
  EXPECT_EQ(reader.string_map("m"), (std::map<std::string, std::string>{{"p", "q"}}));
  EXPECT_EQ(reader.number_map("v"), (std::map<std::string, double>{{"p", 4}}));
  EXPECT_EQ(reader.raw("s"), "t");
  reader.finish();
}

TEST(JsonReader, FallsBackOnlyWhereTheKeyIsAbsent) {
  const Json json = parse_json(R"({"n": "one"})", "f.json");
  JsonReader reader(json, "f.json");
  EXPECT_EQ(reader.number_or("x", 3), 3);
  EXPECT_EQ(reader.integer_or("x", 0, 4), 4);
  EXPECT_EQ(reader.string_or("x", "d"), "d");
  EXPECT_TRUE(reader.boolean_or("x", true));
  EXPECT_TRUE(reader.objects("x").empty());
  EXPECT_THROW(reader.number_or("n", 3), Error);
  EXPECT_THROW(reader.integer_or("n", 0, 3), Error);
  EXPECT_THROW(reader.boolean_or("n", true), Error);
}

TEST(JsonReader, PointsAtTheWrongValue) {
  const Json json = parse_json(R"({"outer": {"list": [{"a/b~c": "x"}]}})", "f.json");
  JsonReader outer = JsonReader(json, "f.json").object("outer");
  std::vector<JsonReader> list = outer.objects("list");
  EXPECT_EQ(message_of([&] { list[0].number("a/b~c"); }),
            R"(f.json:/outer/list/0/a~1b~0c: string "x"; expected a finite number)");
}

TEST(JsonReader, RefusesWrongTypesAndRanges) {
  const Json json = parse_json(R"({"neg": -1, "half": 1.5, "text": "x", "big": 18446744073709551615, "zero": 0,
                                   "mixed": [1, "x"], "null": null})",
                               "f.json");
  JsonReader reader(json, "f.json");
  EXPECT_THAT(message_of([&] { reader.integer("neg", 0); }), HasSubstr("expected a whole number of at least 0"));
  EXPECT_THAT(message_of([&] { reader.integer("half", 0); }), HasSubstr("number 1.5"));
  EXPECT_NE(message_of([&] { reader.integer("big", 0); }), "");
  EXPECT_THAT(message_of([&] { reader.positive("zero"); }), HasSubstr("a number above 0"));
  EXPECT_THAT(message_of([&] { reader.numbers("mixed"); }), HasSubstr("/mixed/1"));
  EXPECT_NE(message_of([&] { reader.strings("mixed"); }), "");
  EXPECT_NE(message_of([&] { reader.object("text"); }), "");
  EXPECT_NE(message_of([&] { reader.objects("text"); }), "");
  EXPECT_NE(message_of([&] { reader.number("null"); }), "");
  EXPECT_NE(message_of([&] { reader.boolean_or("zero", true); }), "");
}

TEST(JsonReader, RefusesPositiveNumbersThatNoQuantityHas) {
  const Json json = parse_json(R"({"tiny": 1e-300, "huge": 1e300, "good": 1e-9})", "f.json");
  JsonReader reader(json, "f.json");
  EXPECT_EQ(reader.positive("good"), 1e-9);
  for (const char* key : {"tiny", "huge"})
    EXPECT_THAT(message_of([&] { reader.positive(key); }), HasSubstr("a number from 1e-30 to 1e+30"));
}

TEST(JsonReader, RefusesUnknownKeysWithTheNearestUnusedOne) {
  const Json json = parse_json(R"({"nodes": 2, "devises": 8})", "f.json");
  JsonReader reader(json, "f.json");
  EXPECT_TRUE(reader.has("nodes"));
  reader.integer("nodes", 1);
  reader.integer_or("devices", 1, 1);
  EXPECT_EQ(message_of([&] { reader.finish(); }),
            "f.json:/: unknown key 'devises'; expected 'nodes' or 'devices' (did you mean 'devices'?)");
}

TEST(JsonReader, AsksWhetherAMisspeltKeyWasTheMissingOne) {
  const Json json = parse_json(R"({"devises": 8})", "f.json");
  JsonReader reader(json, "f.json");
  EXPECT_EQ(message_of([&] { reader.integer("devices", 1); }),
            "f.json:/: key 'devices' is missing (is 'devises' meant to be 'devices'?)");
}

TEST(JsonReader, OffersOnlyWordsOfAChoice) {
  const Json json = parse_json(R"({"wiring": "mash"})", "f.json");
  JsonReader reader(json, "f.json");
  EXPECT_EQ(message_of([&] {
              reader.choice("wiring", {"mesh", "rails"});
            }),
            "f.json:/wiring: 'mash'; expected 'mesh' or 'rails' (did you mean 'mesh'?)");
}

TEST(JsonReader, RefusesADocumentThatIsNoObject) {
  const Json json = parse_json("[1, 2]", "f.json");
  EXPECT_EQ(message_of([&] { JsonReader(json, "f.json"); }), "f.json:/: array [1,2]; expected an object");
}

TEST(JsonReader, ShortensLongValuesBetweenCharacters) {
  for (const std::string start : {"", "a"}) {  // two bytes a character: one of the two would be cut in the middle
    std::string text = "{\"k\": \"" + start;
    for (int i = 0; i < 100; ++i) text += "\xC3\x97";
    const Json json = parse_json(text + "\"}", "f.json");
    JsonReader reader(json, "f.json");
    const std::string message = message_of([&] { reader.number("k"); });
    EXPECT_LT(message.size(), 150u);
    EXPECT_NO_THROW(Json(message).dump()) << "message is not UTF-8";
  }
}

TEST(ParseJson, SaysLineAndColumn) {
  EXPECT_THAT(message_of([] { parse_json("{\n  \"a\": 1,\n  oops\n}", "f.json"); }), HasSubstr("f.json:3:3: not JSON"));
  EXPECT_THAT(message_of([] { parse_json("", "f.json"); }), HasSubstr("f.json:1:1"));
  EXPECT_THAT(message_of([] { parse_json("{\"a\": 1", "f.json"); }), HasSubstr("f.json:1:"));
}

TEST(ParseJson, KnowsSingleQuotes) {
  EXPECT_THAT(message_of([] { parse_json("{'a': 1}", "f.json"); }), HasSubstr("JSON strings stand in double quotes"));
}

TEST(ParseJson, RefusesDuplicateKeysInOneObjectOnly) {
  EXPECT_THAT(message_of([] { parse_json(R"({"a": 1, "b": {"a": 2}, "a": 3})", "f.json"); }),
              HasSubstr("key 'a' twice in one object"));
  EXPECT_EQ(message_of([] { parse_json(R"({"a": {"a": 1}, "b": [{"a": 1}, {"a": 2}]})", "f.json"); }), "");
}

TEST(ParseJson, RefusesDeepNesting) {
  EXPECT_THAT(message_of([] { parse_json(std::string(100000, '['), "f.json"); }), HasSubstr("nesting deeper than 64"));
  std::string objects;
  for (int i = 0; i < 1000; ++i) objects += "{\"a\":";
  EXPECT_THAT(message_of([&] { parse_json(objects, "f.json"); }), HasSubstr("nesting deeper than 64"));
  EXPECT_EQ(message_of([] { parse_json(std::string(60, '[') + std::string(60, ']'), "f.json"); }), "");
}

TEST(ParseJson, RefusesNumbersBeyondDoubleAndBytesThatAreNoText) {
  EXPECT_NE(message_of([] { parse_json("{\"a\": 1e999}", "f.json"); }), "");
  const std::string message = message_of([] { parse_json("{\"a\": \"\xff\xfe\"}", "f.json"); });
  EXPECT_NE(message, "");
  EXPECT_NO_THROW(Json(message).dump()) << "message is not UTF-8";
  EXPECT_NE(message_of([] { parse_json("{\"a\": NaN}", "f.json"); }), "");
}

TEST(ParseJson, KeepsTheOrderOfKeys) {
  EXPECT_EQ(parse_json(R"({"z": 1, "a": 2})", "f.json").dump(), R"({"z":1,"a":2})");
}

}  // namespace
}  // namespace dtbench
