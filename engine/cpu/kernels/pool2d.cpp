// The poolings and their gradients; a global one is a window as large as the image.
#include <cstring>
#include <type_traits>
#include <vector>

#include "engine/cpu/kernels/arrays.h"
#include "engine/cpu/kernels/kernels.h"
#include "engine/plan/ops/image_shape.h"

namespace dtbench::cpu {

namespace {

struct Images {
  std::int64_t count = 0;
  WindowShape window;
  std::int64_t elements() const { return window.height * window.width * window.channels; }
  std::int64_t out_elements() const { return window.out_height * window.out_width * window.channels; }
};

Images images_of(const ImageShape& s) {
  return {s.batch,
          {.height = s.height,
           .width = s.width,
           .channels = s.channels,
           .out_height = s.out_height,
           .out_width = s.out_width,
           .window_height = s.window_height,
           .window_width = s.window_width,
           .stride = s.stride,
           .padding = s.padding}};
}

Images images_of(const Buffer& x, const Buffer& y, const KernelRequest& request) {
  return images_of(pooling_shape(x.shape, y.shape, request.op.attributes));
}

Images whole_images_of(const Buffer& x) {
  Images images{x.shape.at(0), {.height = x.shape.at(1), .width = x.shape.at(2), .channels = x.shape.at(3)}};
  images.window.out_height = images.window.out_width = 1;
  images.window.window_height = images.window.height;
  images.window.window_width = images.window.width;
  return images;
}

/// `use` is the loop to call with (x, y, window, first, last).
template <class T, class Use>
auto forward(const KernelRequest& request, const CoreTeam& team, const Images& images, const Use& use) {
  const std::int64_t reads_a_row = images.elements() / std::max<std::int64_t>(1, images.window.out_height);
  const std::int64_t grain = std::max<std::int64_t>(1, kGrain / std::max<std::int64_t>(1, reads_a_row));
  return [&team, x = input<T>(request, 0), y = output<T>(request, 0), images, grain, use] {
    team.split(images.count * images.window.out_height, grain,
               [&](const Piece& piece) { use(x, y, images.window, piece.first, piece.last); });
  };
}

/// `use` is called with (image, float gradient of that image, zero before).
template <class T, class Use>
auto backward(const KernelRequest& request, const CoreTeam& team, const Images& images, const Use& use) {
  const bool narrow = !std::is_same_v<T, float>;
  const std::int64_t scratch = narrow ? images.elements() : 0;
  const std::int64_t grain = std::max<std::int64_t>(1, kGrain / std::max<std::int64_t>(1, images.elements()));
  return [&team, dx = output<T>(request, 0), images, grain, use, scratch,
          sums = std::vector<float>(static_cast<std::size_t>(scratch * team.size()))]() mutable {
    team.split(images.count, grain, [&](const Piece& piece) {
      for (std::int64_t image = piece.first; image < piece.last; ++image) {
        T* target = dx + image * images.elements();
        float* sum = nullptr;
        if constexpr (std::is_same_v<T, float>)
          sum = target;
        else
          sum = sums.data() + piece.member * scratch;
        std::memset(sum, 0, static_cast<std::size_t>(images.elements()) * sizeof(float));
        use(image, sum);
        if constexpr (!std::is_same_v<T, float>) loops().of<T>().from_float(sum, target, images.elements());
      }
    });
  };
}

std::unique_ptr<Kernel> make_average(const KernelRequest& request, const CoreTeam& team, const Images& images) {
  return storage_kernel(request,
                        [&]<class T>(T) { return forward<T>(request, team, images, loops().of<T>().average_pool); });
}

std::unique_ptr<Kernel> make_average_grad(const KernelRequest& request, const CoreTeam& team, const Images& images) {
  return storage_kernel(request, [&]<class T>(T) {
    return backward<T>(request, team, images, [dy = input<T>(request, 0), images](std::int64_t image, float* dx) {
      loops().of<T>().average_pool_grad(dy + image * images.out_elements(), dx, images.window);
    });
  });
}

}  // namespace

std::unique_ptr<Kernel> make_max_pool2d(const KernelRequest& request, const CoreTeam& team) {
  const Images images = images_of(request.inputs.at(0), request.outputs.at(0), request);
  return storage_kernel(request,
                        [&]<class T>(T) { return forward<T>(request, team, images, loops().of<T>().max_pool); });
}

std::unique_ptr<Kernel> make_max_pool2d_grad(const KernelRequest& request, const CoreTeam& team) {
  const Images images = images_of(request.inputs.at(0), request.inputs.at(1), request);
  return storage_kernel(request, [&]<class T>(T) {
    return backward<T>(request, team, images,
                       [x = input<T>(request, 0), dy = input<T>(request, 1), images](std::int64_t image, float* dx) {
                         loops().of<T>().max_pool_grad(x + image * images.elements(),
                                                       dy + image * images.out_elements(), dx, images.window);
                       });
  });
}

std::unique_ptr<Kernel> make_average_pool2d(const KernelRequest& request, const CoreTeam& team) {
  return make_average(request, team, images_of(request.inputs.at(0), request.outputs.at(0), request));
}

std::unique_ptr<Kernel> make_average_pool2d_grad(const KernelRequest& request, const CoreTeam& team) {
  return make_average_grad(request, team, images_of(request.outputs.at(0), request.inputs.at(0), request));
}

std::unique_ptr<Kernel> make_global_average_pool(const KernelRequest& request, const CoreTeam& team) {
  return make_average(request, team, whole_images_of(request.inputs.at(0)));
}

std::unique_ptr<Kernel> make_global_average_pool_grad(const KernelRequest& request, const CoreTeam& team) {
  return make_average_grad(request, team, whole_images_of(request.outputs.at(0)));
}

}  // namespace dtbench::cpu
