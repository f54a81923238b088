#pragma once

#include <string>

#include "topologies/base/error.h"

namespace dtbench {

/// The message of the Error that `action` throws, "" when it throws none.
template <typename Action>
std::string message_of(Action action) {
  try {
    action();
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

}  // namespace dtbench
