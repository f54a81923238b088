#include "reports/text_layout.h"

#include <gtest/gtest.h>

#include <fcntl.h>
#include <unistd.h>

#include <cstdlib>

namespace dtbench {
namespace {

TEST(TextTable, AlignsByTheWidestCellAndEndsWithoutSpaces) {
  TextTable table({{"name", Align::left}, {"value"}, {"", Align::left}});
  table.add_row({{"a"}, {"1"}});
  table.add_row({{"longer"}, {"1000000"}, {"x"}});
  EXPECT_EQ(table.text({}),
            "name      value\n"
            "a             1\n"
            "longer  1000000  x\n");
}

TEST(TextTable, CountsCodePointsNotBytes) {
  TextTable table({{"name", Align::left}, {"value"}});
  table.add_row({{"caf\xc3\xa9"}, {"1"}});
  table.add_row({{"tea!"}, {"2"}});
  EXPECT_EQ(table.text({}), "name  value\ncaf\xc3\xa9      1\ntea!      2\n");
}

TEST(TextTable, ColourDoesNotMoveColumns) {
  TextTable table({{"a"}, {"b"}});
  table.add_row({{"1", Role::bad}, {"2"}});
  const std::string text = table.text({.colour = true});
  EXPECT_NE(text.find("\x1b[31m1\x1b[0m  2\n"), std::string::npos) << text;
}

TEST(Labelled, WrapsUnderTheFirstWord) {
  EXPECT_EQ(labelled({"label"}, 8, "one two three four", {.width = 18}), "label   one two\n        three four\n");
}

TEST(Labelled, KeepsSpacesOnLaterLinesUnderALongLabel) {
  EXPECT_EQ(labelled({"a long label:"}, 0, "one two three", {.width = 17}), "a long label: one\ntwo three\n");
}

TEST(Labelled, LeavesLongWordsWhole) {
  EXPECT_EQ(labelled({}, 0, "a incomprehensibilities b", {.width = 8}), "a\nincomprehensibilities\nb\n");
}

TEST(TextStyle, PaintsNothingWithoutColour) { EXPECT_EQ(TextStyle{}.paint(Role::bad, "x"), "x"); }

TEST(TextStyle, HasNoColourWhereOutputIsNoTerminal) {
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  EXPECT_FALSE(style_for(ends[1]).colour);
  ::close(ends[0]);
  ::close(ends[1]);
}

TEST(TextStyle, RespectsNoColorOnATerminal) {
  const int terminal = ::posix_openpt(O_RDWR | O_NOCTTY);
  if (terminal < 0) GTEST_SKIP() << "no pseudo-terminal here";
  ::setenv("TERM", "xterm", 1);
  ::unsetenv("NO_COLOR");
  EXPECT_TRUE(style_for(terminal).colour);
  ::setenv("NO_COLOR", "1", 1);
  EXPECT_FALSE(style_for(terminal).colour);
  ::unsetenv("NO_COLOR");
  ::setenv("TERM", "dumb", 1);
  EXPECT_FALSE(style_for(terminal).colour);
  ::close(terminal);
}

}  // namespace
}  // namespace dtbench
