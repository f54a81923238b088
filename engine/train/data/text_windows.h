// Text as examples of a language model: windows of bytes, each with the byte after it. The vocabulary is the 256 bytes.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/train/data/example_set.h"

namespace dtbench {

/// Texts of free licences that every Debian system carries (package base-files): some 0.3 MB of English.
inline constexpr const char* kLicenceTexts = "/usr/share/common-licenses";

/// The bytes of a file, or of each regular file of a folder in the order of their names (links are other names of the
/// same texts).
std::vector<std::string> read_texts(const std::string& path);

/// Windows of `length` bytes, one after the other; the last tenth of each text is the test half. Bad-input error when
/// no window fits.
TrainingData text_data(const std::string& name, const std::vector<std::string>& texts, std::int64_t length);

}  // namespace dtbench
