#include "engine/cpu/loops/isa_loops.h"

namespace dtbench::DTBENCH_ISA {

namespace {

constexpr std::int64_t kPooledChannels = 64;  // channels whose result stays in registers

/// The part of a window that lies inside the image: rows [top, bottom), columns [left, right).
struct Inside {
  std::int64_t top, bottom, left, right;
};

[[gnu::always_inline]] inline std::int64_t smaller_bound(std::int64_t a, std::int64_t b) { return b < a ? b : a; }
[[gnu::always_inline]] inline std::int64_t larger_bound(std::int64_t a, std::int64_t b) { return b > a ? b : a; }

[[gnu::always_inline]] inline Inside inside(const WindowShape& s, std::int64_t out_row, std::int64_t out_column) {
  const std::int64_t top = out_row * s.stride - s.padding, left = out_column * s.stride - s.padding;
  return {larger_bound(top, 0), smaller_bound(top + s.window_height, s.height), larger_bound(left, 0),
          smaller_bound(left + s.window_width, s.width)};
}

/// Calls use(first element of a pixel) for the window's pixels, row by row.
template <class Use>
[[gnu::always_inline]] inline void for_each_pixel(const WindowShape& s, const Inside& in, const Use& use) {
  for (std::int64_t row = in.top; row < in.bottom; ++row)
    for (std::int64_t column = in.left; column < in.right; ++column) use((row * s.width + column) * s.channels);
}

/// Calls use(first channel, channels); the number is a constant where the block is whole.
template <class Use>
[[gnu::always_inline]] inline void for_each_channel_block(std::int64_t channels, const Use& use) {
  std::int64_t first = 0;
  for (; first + kPooledChannels <= channels; first += kPooledChannels) use(first, kPooledChannels);
  if (first < channels) use(first, channels - first);
}

/// The first of the largest; a NaN is larger than everything.
[[gnu::always_inline]] inline bool replaces(float value, float best) {
  return (value > best) | ((value != value) & (best == best));
}

template <class T>
[[gnu::always_inline]] inline void largest_of_window(const WindowShape& s, const Inside& in, const T* __restrict x,
                                                     T* __restrict y, std::int64_t count) {
  float best[kPooledChannels];
  for (std::int64_t c = 0; c < count; ++c) best[c] = -__builtin_inff();
  for_each_pixel(
      s, in, [&](std::int64_t pixel) __attribute__((always_inline)) {
        for (std::int64_t c = 0; c < count; ++c) {
          const float value = x[pixel + c];
          best[c] = replaces(value, best[c]) ? value : best[c];
        }
      });
  for (std::int64_t c = 0; c < count; ++c) y[c] = best[c];
}

template <class T>
[[gnu::always_inline]] inline void average_of_window(const WindowShape& s, const Inside& in, const T* __restrict x,
                                                     T* __restrict y, std::int64_t count) {
  const float taps = static_cast<float>(s.window_height * s.window_width);
  float sum[kPooledChannels];
  for (std::int64_t c = 0; c < count; ++c) sum[c] = 0;
  for_each_pixel(
      s, in, [&](std::int64_t pixel) __attribute__((always_inline)) {
        for (std::int64_t c = 0; c < count; ++c) sum[c] += x[pixel + c];
      });
  for (std::int64_t c = 0; c < count; ++c) y[c] = sum[c] / taps;
}

/// Finds each channel's place by the number of the pixel in the window, then adds where it is.
template <class T>
[[gnu::always_inline]] inline void give_to_largest(const WindowShape& s, const Inside& in, const T* __restrict x,
                                                   const T* __restrict dy, float* __restrict dx, std::int64_t count) {
  float best[kPooledChannels];
  std::int32_t place[kPooledChannels], number = 0;
  for (std::int64_t c = 0; c < count; ++c) {
    best[c] = -__builtin_inff();
    place[c] = 0;
  }
  for_each_pixel(
      s, in, [&](std::int64_t pixel) __attribute__((always_inline)) {
        for (std::int64_t c = 0; c < count; ++c) {
          const float value = x[pixel + c];
          const bool better = replaces(value, best[c]);
          best[c] = better ? value : best[c];
          place[c] = better ? number : place[c];
        }
        ++number;
      });
  number = 0;
  for_each_pixel(
      s, in, [&](std::int64_t pixel) __attribute__((always_inline)) {
        for (std::int64_t c = 0; c < count; ++c) dx[pixel + c] += place[c] == number ? static_cast<float>(dy[c]) : 0.0F;
        ++number;
      });
}

template <class T>
[[gnu::always_inline]] inline void give_to_all(const WindowShape& s, const Inside& in, const T* __restrict dy,
                                               float* __restrict dx, std::int64_t count) {
  const float taps = static_cast<float>(s.window_height * s.window_width);
  float share[kPooledChannels];
  for (std::int64_t c = 0; c < count; ++c) share[c] = dy[c] / taps;
  for_each_pixel(
      s, in, [&](std::int64_t pixel) __attribute__((always_inline)) {
        for (std::int64_t c = 0; c < count; ++c) dx[pixel + c] += share[c];
      });
}

/// Calls use(first element of the image of x, element of y, window) for each output pixel of rows [first, last).
template <class Use>
[[gnu::always_inline]] inline void for_each_output(const WindowShape& s, std::int64_t first, std::int64_t last,
                                                   const Use& use) {
  for (std::int64_t row = first; row < last; ++row) {
    const std::int64_t image = row / s.out_height * s.height * s.width * s.channels;
    for (std::int64_t column = 0; column < s.out_width; ++column)
      use(image, (row * s.out_width + column) * s.channels, inside(s, row % s.out_height, column));
  }
}

}  // namespace

template <class T>
void Pooling<T>::largest(const T* x, T* y, const WindowShape& s, std::int64_t first, std::int64_t last) {
  for_each_output(s, first, last, [&](std::int64_t image, std::int64_t out, const Inside& in) {
    for_each_channel_block(
        s.channels, [&](std::int64_t c, std::int64_t count) __attribute__((always_inline)) {
          largest_of_window(s, in, x + image + c, y + out + c, count);
        });
  });
}

template <class T>
void Pooling<T>::average(const T* x, T* y, const WindowShape& s, std::int64_t first, std::int64_t last) {
  for_each_output(s, first, last, [&](std::int64_t image, std::int64_t out, const Inside& in) {
    for_each_channel_block(
        s.channels, [&](std::int64_t c, std::int64_t count) __attribute__((always_inline)) {
          average_of_window(s, in, x + image + c, y + out + c, count);
        });
  });
}

template <class T>
void Pooling<T>::largest_gradient(const T* x, const T* dy, float* dx, const WindowShape& s) {
  for_each_output(s, 0, s.out_height, [&](std::int64_t, std::int64_t out, const Inside& in) {
    for_each_channel_block(
        s.channels, [&](std::int64_t c, std::int64_t count)
                        __attribute__((always_inline)) { give_to_largest(s, in, x + c, dy + out + c, dx + c, count); });
  });
}

template <class T>
void Pooling<T>::average_gradient(const T* dy, float* dx, const WindowShape& s) {
  for_each_output(s, 0, s.out_height, [&](std::int64_t, std::int64_t out, const Inside& in) {
    for_each_channel_block(
        s.channels, [&](std::int64_t c, std::int64_t count)
                        __attribute__((always_inline)) { give_to_all(s, in, dy + out + c, dx + c, count); });
  });
}

template struct Pooling<float>;
template struct Pooling<Bfloat16>;
template struct Pooling<Float16>;

}  // namespace dtbench::DTBENCH_ISA
