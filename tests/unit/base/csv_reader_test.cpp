#include "topologies/base/csv_reader.h"

#include <gtest/gtest.h>

#include "tests/support/error_message.h"

namespace dtbench {
namespace {

CsvTable parse(std::string_view text, const std::vector<std::string>& required = {"id", "value"}) {
  return CsvTable::parse(text, "t.csv", required);
}

std::string message(std::string_view text) {
  return message_of([&] { parse(text); });
}

TEST(CsvReader, ReadsQuotesCrlfByteOrderMarkAndBlankLines) {
  const CsvTable table = parse("\xEF\xBB\xBFid,value,\"no,tes\"\r\n\r\na, 1 ,\"say \"\"hi\"\"\nthere, you\"\r\nb,2,");
  ASSERT_EQ(table.size(), 2u);
  EXPECT_EQ(table.row(0).text("no,tes"), "say \"hi\"\nthere, you");
  EXPECT_EQ(table.row(0).positive("value"), 1);
  EXPECT_EQ(table.row(0).line(), 3);
  EXPECT_EQ(table.row(1).line(), 5) << "a quoted line break counts";
  EXPECT_EQ(table.row(1).text("no,tes"), "");
  EXPECT_FALSE(table.row(1).optional_positive("no,tes"));
}

TEST(CsvReader, NamesAMissingColumnAndTheNearest) {
  const std::string text = message("id,valeu\n");
  EXPECT_NE(text.find("t.csv:1: no column 'value'"), std::string::npos) << text;
  EXPECT_NE(text.find("did you mean 'valeu'"), std::string::npos) << text;
}

TEST(CsvReader, RefusesBrokenTablesWithTheirLine) {
  EXPECT_NE(message("id,value\na,1\nb\n").find("t.csv:3: 1 fields; expected 2"), std::string::npos);
  EXPECT_NE(message("id,value\na,1,2\n").find("t.csv:2: 3 fields"), std::string::npos);
  EXPECT_NE(message("id,value\n\"a,1\n").find("t.csv:2: a quote that nothing closes"), std::string::npos);
  EXPECT_NE(message("id,value\n\"a\"b,1\n").find("t.csv:2: text behind a closing quote"), std::string::npos);
  EXPECT_NE(message("id,id\n").find("column 'id' twice"), std::string::npos);
  EXPECT_NE(message(std::string_view("id,value\na,\0\n", 13)).find("a zero byte"), std::string::npos);
  EXPECT_NE(message("").find("no lines"), std::string::npos);
  EXPECT_NE(message("id,value\ra,1\r").find("carriage return"), std::string::npos);
}

TEST(CsvReader, FieldsSayWhereTheyAreAndWhatIsAllowed) {
  const CsvTable table = parse("id,value\n,-3\nx,1e400\ny,8.5\nz,8.0\n");
  const auto said = [&](std::size_t row, auto read) { return message_of([&] { read(table.row(row)); }); };
  EXPECT_EQ(said(0, [](const CsvRow& row) { row.positive("value"); }),
            "t.csv:2, column 'value': '-3'; expected a number above 0");
  EXPECT_EQ(said(0, [](const CsvRow& row) { row.required("id"); }), "t.csv:2, column 'id': blank; expected a value");
  EXPECT_NE(said(1, [](const CsvRow& row) { row.positive("value"); }).find("t.csv:3"), std::string::npos);
  EXPECT_NE(said(2, [](const CsvRow& row) { row.count("value"); }).find("a whole number"), std::string::npos);
  EXPECT_EQ(table.row(3).count("value"), 8);
  EXPECT_NE(said(3, [](const CsvRow& row) { row.choice("id", {"fp32", "b"}); }).find("expected 'fp32' or 'b'"),
            std::string::npos);
}

TEST(CsvReader, RefusesWhatIsNoFile) {
  EXPECT_NE(message_of([] { CsvTable::load("/nowhere/x.csv", {}); }).find("no such file"), std::string::npos);
  EXPECT_NE(message_of([] { CsvTable::load("/", {}); }).find("a folder"), std::string::npos);
}

}  // namespace
}  // namespace dtbench
