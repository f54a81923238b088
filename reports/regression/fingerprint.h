// Were two files made under the same conditions? A difference between machines says nothing about code.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace dtbench {

using Conditions = std::map<std::string, std::string>;

struct FieldDifference {
  std::string field, base, changed;  ///< "(absent)" where only one file has it
  bool operator==(const FieldDifference&) const = default;
};

/// All fields that must agree and do not. What changes from run to run (date, load, steal, file names, whatever starts
/// with "measured") and what a comparison is about (version, revision, commit) is left out; clock rates agree within
/// 10 %, since they are read while they vary.
std::vector<FieldDifference> fingerprint_differences(const Conditions& base, const Conditions& changed);

/// The revision of the code that was measured, "" when the file does not say.
std::string revision_of(const Conditions& conditions);
/// When the session took place, "" when the file does not say. ISO 8601 sorts as text.
std::string session_of(const Conditions& conditions);

}  // namespace dtbench
