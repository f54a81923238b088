// oneDNN cuts a primitive into as many parts as the team of the thread that creates it has members; some (products by
// way of gemm, all of them without AVX-512) ask again when they run, with scratch memory for the former number. So both
// happen within a TeamSize.
#pragma once

#include <omp.h>

namespace dtbench {

class TeamSize {
 public:
  explicit TeamSize(int threads) : before_(omp_get_max_threads()) { omp_set_num_threads(threads); }
  ~TeamSize() { omp_set_num_threads(before_); }
  TeamSize(const TeamSize&) = delete;
  TeamSize& operator=(const TeamSize&) = delete;

 private:
  int before_;
};

}  // namespace dtbench
