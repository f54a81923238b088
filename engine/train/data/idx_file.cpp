#include "engine/train/data/idx_file.h"

#include <fmt/core.h>
#include <zlib.h>

#include <memory>

#include "topologies/base/error.h"

namespace dtbench {

namespace {

constexpr std::int64_t kMaxValues = std::int64_t{1} << 31;
constexpr int kMaxDimensions = 4;
constexpr int kUnsignedByte = 0x08;

[[noreturn]] void fail(const std::string& path, std::string found, std::string expected) {
  throw_bad_input({path, std::move(found), std::move(expected), ""});
}

class GzipReader {
 public:
  explicit GzipReader(const std::string& path) : path_(path), file_(gzopen(path.c_str(), "rb"), gzclose) {
    if (!file_) fail(path_, "cannot be read", "an IDX file, plain or gzip");
  }

  void read(std::uint8_t* to, std::int64_t bytes) {
    constexpr std::int64_t kStep = 1 << 24;
    for (std::int64_t done = 0; done < bytes;) {
      const auto step = static_cast<unsigned>(std::min(kStep, bytes - done));
      const int got = gzread(file_.get(), to + done, step);
      if (got <= 0)
        fail(path_, fmt::format("ends after {} of {} bytes or is damaged", done, bytes), "a whole IDX file");
      done += got;
    }
  }

  std::uint32_t read_big_endian() {
    std::uint8_t b[4];
    read(b, 4);
    return std::uint32_t{b[0]} << 24 | std::uint32_t{b[1]} << 16 | std::uint32_t{b[2]} << 8 | b[3];
  }

  bool at_end() {
    std::uint8_t extra;
    return gzread(file_.get(), &extra, 1) == 0;
  }

 private:
  std::string path_;
  std::unique_ptr<gzFile_s, int (*)(gzFile)> file_;
};

}  // namespace

IdxArray read_idx_file(const std::string& path) {
  GzipReader in(path);
  const std::uint32_t magic = in.read_big_endian();
  const int dimensions = static_cast<int>(magic & 0xff);
  if (magic >> 8 != kUnsignedByte || dimensions < 1 || dimensions > kMaxDimensions)
    fail(path, fmt::format("magic number {:#010x}", magic),
         "an IDX file of unsigned bytes with 1 to 4 dimensions (0x0000080d)");
  IdxArray array;
  std::int64_t count = 1;
  for (int d = 0; d < dimensions; ++d) {
    array.shape.push_back(in.read_big_endian());
    if (array.shape.back() == 0 || array.shape.back() > kMaxValues / count)
      fail(path, fmt::format("dimension {} of {}", d, array.shape.back()), "1 to 2^31 values in all");
    count *= array.shape.back();
  }
  array.values.resize(static_cast<std::size_t>(count));
  in.read(array.values.data(), count);
  if (!in.at_end()) fail(path, fmt::format("more than the {} values of its header", count), "a whole IDX file");
  return array;
}

}  // namespace dtbench
