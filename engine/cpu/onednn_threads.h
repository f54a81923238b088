// oneDNN cuts a primitive into as many parts as the creating thread's team has members.
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
