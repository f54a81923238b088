// Scratch memory that the kernels of one team share: they run one after the other.
#pragma once

#include <cstddef>
#include <cstdlib>
#include <memory>
#include <new>

namespace dtbench {

class Workspace {
 public:
  /// Called while kernels are prepared; what lay there is lost and may move.
  void reserve(std::size_t bytes) {
    if (bytes <= bytes_) return;
    memory_.reset();
    bytes_ = (bytes + kPage - 1) / kPage * kPage;
    memory_.reset(static_cast<std::byte*>(std::aligned_alloc(kPage, bytes_)));
    if (!memory_) throw std::bad_alloc();
  }
  /// Aligned to a page. To be asked for at each run.
  std::byte* data() const { return memory_.get(); }

 private:
  static constexpr std::size_t kPage = 4096;
  struct Free {
    void operator()(std::byte* memory) const { std::free(memory); }
  };
  std::unique_ptr<std::byte, Free> memory_;
  std::size_t bytes_ = 0;
};

}  // namespace dtbench
