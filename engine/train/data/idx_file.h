// The IDX format of the MNIST family: big-endian header, then bytes; plain or gzip (zlib reads both).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace dtbench {

struct IdxArray {
  std::vector<std::int64_t> shape;   ///< e.g. {60000, 28, 28}
  std::vector<std::uint8_t> values;  ///< row-major
};

/// Only unsigned bytes (type code 0x08), at most 4 dimensions and 2^31 values. Bad-input error with the file and what
/// is wrong when it is missing, truncated, longer than its header says, or of another type.
IdxArray read_idx_file(const std::string& path);

}  // namespace dtbench
