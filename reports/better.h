// Which way a metric improves.
#pragma once

namespace dtbench {

enum class Better { lower, higher };

}  // namespace dtbench
