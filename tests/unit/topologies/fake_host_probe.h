#pragma once

#include "topologies/host_probe.h"

namespace dtbench {

class FakeHostProbe : public HostProbe {
 public:
  explicit FakeHostProbe(int cores = 8) { facts_.cores = cores; }
  HostFacts facts() const override { return facts_; }

 private:
  HostFacts facts_ = {"Imagined CPU", 8, {}, 1, 64e9, 32e6, "avx2"};
};

}  // namespace dtbench
