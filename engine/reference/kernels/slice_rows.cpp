#include <cstring>

#include "engine/reference/kernels/kernels.h"
#include "engine/reference/kernels/typed_kernel.h"

namespace dtbench::reference {

namespace {

std::size_t bytes_of(const Buffer& buffer) {
  return static_cast<std::size_t>(buffer.elements() * dtbench::bytes_of(buffer.dtype));
}

}  // namespace

std::unique_ptr<Kernel> make_slice_rows(const KernelRequest& request) {
  return make_kernel([table = request.inputs[0].data, y = request.outputs[0].data,
                      bytes = bytes_of(request.outputs[0])] { std::memcpy(y, table, bytes); });
}

std::unique_ptr<Kernel> make_slice_rows_grad(const KernelRequest& request) {
  return make_kernel([dy = request.inputs[0].data, table = static_cast<std::byte*>(request.outputs[0].data),
                      copied = bytes_of(request.inputs[0]), bytes = bytes_of(request.outputs[0])] {
    std::memcpy(table, dy, copied);
    std::memset(table + copied, 0, bytes - copied);
  });
}

}  // namespace dtbench::reference
