// Compares a text with a committed one. DTBENCH_ACCEPT_GOLDEN=1 rewrites the committed one and then skips the test, so
// that an accepting run never passes.
#pragma once

#include <string>

namespace dtbench {

void expect_golden(const std::string& text, const std::string& name);

}  // namespace dtbench
