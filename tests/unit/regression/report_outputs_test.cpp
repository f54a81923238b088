// The formats: JSON follows its schema, XML is well-formed whatever the names, Markdown keeps its cells.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "reports/regression/compare_json.h"
#include "reports/regression/compare_samples.h"
#include "reports/regression/junit.h"
#include "reports/regression/report_text.h"
#include "reports/schema_check.h"
#include "tests/unit/regression/simulated_noise.h"
#include "topologies/base/json_reader.h"

namespace dtbench {
namespace {

using ::testing::HasSubstr;

const std::string kSchema = std::string(DTBENCH_SOURCE_DIRECTORY) + "/reports/compare.schema.json";

SampleFile file_of(const std::string& path, std::vector<double> levels, std::size_t repetitions, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  SampleFile file{path, "dtbench.bench/1", {{"cpu", "x"}}, {}, {}};
  for (std::size_t i = 0; i < levels.size(); ++i) {
    file.metrics.push_back(
        simulated_session({.noise = 0.01, .outlier_chance = 0, .drift = 0}, repetitions, levels[i], random));
    file.metrics.back().name = "kernel<int>|\"a\" & 'b'/" + std::to_string(i);
  }
  return file;
}

// One of each verdict but incomparable, plus something left out.
RegressionReport mixed_report() {
  SampleFile base = file_of("base & co.json", {1, 1, 1, 1}, 12, 1),
             changed = file_of("new.json", {1, 1.3, 0.7, 1}, 12, 2);
  changed.metrics[3].repetitions.resize(2);
  base.left_out.push_back({"failed\x01", "no GPU"});
  return compare_samples(base, changed, {});
}

std::string faults_of(const RegressionReport& report) {
  std::string text;
  for (const SchemaFault& fault : schema_faults(regression_report_to_json_text(report, "dtbench compare a b"), kSchema))
    text += fault.pointer + ": " + fault.text + "\n";
  return text;
}

TEST(CompareJson, FollowsItsSchema) {
  EXPECT_EQ(faults_of(mixed_report()), "");
  SampleFile other = file_of("c", {1}, 9, 3);
  other.environment["cpu"] = "y";
  EXPECT_EQ(faults_of(compare_samples(file_of("a", {1}, 9, 4), other, {})), "");
  CompareRequest request;
  for (std::uint64_t i = 0; i < 12; ++i)
    request.history.push_back(file_of("h" + std::to_string(i), {i < 6 ? 1 : 1.2}, 9, 10 + i));
  const RegressionReport with_history = compare_samples(file_of("a", {1.2}, 9, 5), file_of("b", {1.2}, 9, 6), request);
  ASSERT_TRUE(with_history.metrics[0].sessions);
  EXPECT_TRUE(with_history.metrics[0].sessions->step_at);
  EXPECT_EQ(faults_of(with_history), "");
}

TEST(CompareJson, TellsVerdictAndExitStatus) {
  const Json json = parse_json(regression_report_to_json_text(mixed_report(), "c"), "x");
  EXPECT_EQ(json.at("verdict"), "regressed");
  EXPECT_EQ(json.at("exit_status"), 1);
  EXPECT_EQ(json.at("metrics").size(), 4u);
}

// Enough of XML to find what is not well-formed: tags nest, attributes are quoted, no bare < or &.
class XmlChecker {
 public:
  explicit XmlChecker(std::string_view text) : text_(text) {}

  bool well_formed() {
    if (!skip("<?xml")) return false;
    text_.remove_prefix(text_.find("?>") + 2);
    while (!text_.empty())
      if (!(text_[0] == '<' ? tag() : characters("<"))) return false;
    return open_.empty() && elements_ > 0;
  }

 private:
  bool skip(std::string_view expected) {
    if (!text_.starts_with(expected)) return false;
    text_.remove_prefix(expected.size());
    return true;
  }

  // Up to one of `ends`; references must be known.
  bool characters(std::string_view ends) {
    while (!text_.empty() && ends.find(text_[0]) == std::string_view::npos) {
      const auto c = static_cast<unsigned char>(text_[0]);
      if (c == '<' || (c < 0x20 && c != '\n' && c != '\t')) return false;
      if (c == '&') {
        const std::string_view name = text_.substr(1, text_.find(';') - 1);
        for (const char* known : {"lt", "gt", "amp", "quot", "apos", "#10", "#13", "#9"})
          if (name == known) {
            text_.remove_prefix(name.size() + 1);
            break;
          }
        if (text_[0] == '&') return false;
      }
      text_.remove_prefix(1);
    }
    return true;
  }

  std::string_view name() {
    std::size_t end = 0;
    while (end < text_.size() && (std::isalnum(static_cast<unsigned char>(text_[end])) || text_[end] == '-')) ++end;
    const std::string_view found = text_.substr(0, end);
    text_.remove_prefix(end);
    return found;
  }

  bool tag() {
    if (skip("</")) {
      if (open_.empty() || name() != open_.back()) return false;
      open_.pop_back();
      return skip(">");
    }
    skip("<");
    ++elements_;
    const std::string_view element = name();
    while (skip(" ")) {
      if (name().empty() || !skip("=\"") || !characters("\"") || !skip("\"")) return false;
    }
    if (skip("/>")) return true;
    open_.push_back(element);
    return !element.empty() && skip(">");
  }

  std::string_view text_;
  std::vector<std::string_view> open_;
  int elements_ = 0;
};

TEST(JUnit, IsWellFormedWhateverTheNames) {
  const std::string text = junit_text(mixed_report());
  EXPECT_TRUE(XmlChecker(text).well_formed()) << text;
  EXPECT_THAT(text, HasSubstr("tests=\"5\" failures=\"1\" errors=\"1\" skipped=\"1\""));
  EXPECT_THAT(text, HasSubstr("<failure type=\"WORSE\""));
  EXPECT_THAT(text, HasSubstr("<error type=\"TOO_FEW_REPETITIONS\""));
  EXPECT_THAT(text, HasSubstr("kernel&lt;int&gt;|&quot;a&quot; &amp; &apos;b&apos;/0"));
}

TEST(JUnit, CheckerSeesFaults) {
  for (const char* bad :
       {"<?xml?><a>", "<?xml?><a></b>", "<?xml?><a x=\"&\"/>", "<?xml?><a x=\"<\"/>", "<?xml?><a>\x01</a>"})
    EXPECT_FALSE(XmlChecker(bad).well_formed()) << bad;
}

TEST(JUnit, ReplacesWhatXmlCannotHold) {
  const std::string replacement = "\xEF\xBF\xBD";
  EXPECT_EQ(xml_escaped("a\x01z"), "a" + replacement + "z");
  EXPECT_EQ(xml_escaped("\xC3\xA9"), "\xC3\xA9");
  EXPECT_EQ(xml_escaped("\xC3"), replacement);
  EXPECT_EQ(xml_escaped("\xED\xA0\x80"), replacement + replacement + replacement);  // a lone surrogate
  EXPECT_EQ(xml_escaped("\xEF\xBF\xBF"), replacement + replacement + replacement);
}

TEST(JUnit, IncomparableIsAnError) {
  SampleFile other = file_of("c", {1}, 9, 3);
  other.environment["cpu"] = "y";
  const std::string text = junit_text(compare_samples(file_of("a", {1}, 9, 4), other, {}));
  EXPECT_TRUE(XmlChecker(text).well_formed()) << text;
  EXPECT_THAT(text, HasSubstr("<error type=\"INCOMPARABLE\""));
}

TEST(Markdown, KeepsItsCells) {
  const std::string text = markdown_text(mixed_report());
  EXPECT_THAT(text, HasSubstr("**REGRESSED**"));
  EXPECT_THAT(text, HasSubstr("kernel\\<int>\\|"));
  std::size_t rows = 0;
  for (std::size_t at = text.find("\n| "); at != std::string::npos; at = text.find("\n| ", at + 1)) ++rows;
  EXPECT_EQ(rows, 5u);  // header and four metrics
}

TEST(Terminal, NamesTheWorstFirst) {
  const std::string text = terminal_text(mixed_report(), {});
  EXPECT_EQ(text.rfind("regressed: 1 regressed, 1 inconclusive, 1 improved, 1 pass of 4 metrics", 0), 0u) << text;
  EXPECT_THAT(text, HasSubstr("TOO_FEW_REPETITIONS (2 < 9)"));
}

}  // namespace
}  // namespace dtbench
