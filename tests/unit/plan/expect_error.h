// The bad-input error that a call throws.
#pragma once

#include <gtest/gtest.h>

#include "topologies/base/error.h"

namespace dtbench {

template <typename Call>
ErrorParts bad_input_of(Call call) {
  try {
    call();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::bad_input) << error.what();
    return error.parts();
  }
  ADD_FAILURE() << "nothing was thrown";
  return {};
}

}  // namespace dtbench
