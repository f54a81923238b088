#include "tests/unit/reports/golden_file.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <sstream>

namespace dtbench {

void expect_golden(const std::string& text, const std::string& name) {
  const std::string path = std::string(DTBENCH_GOLDEN_DIRECTORY) + "/" + name;
  if (const char* accept = std::getenv("DTBENCH_ACCEPT_GOLDEN"); accept && std::string(accept) == "1") {
    std::ofstream(path, std::ios::binary) << text;
    GTEST_SKIP() << "accepted " << path;
  }
  std::ifstream in(path, std::ios::binary);
  ASSERT_TRUE(in) << path << " is missing; DTBENCH_ACCEPT_GOLDEN=1 writes it";
  std::stringstream golden;
  golden << in.rdbuf();
  EXPECT_EQ(text, golden.str()) << "differs from " << path << "; DTBENCH_ACCEPT_GOLDEN=1 accepts the new text";
}

}  // namespace dtbench
