// A fuzz target takes any bytes and may only return or throw dtbench::Error; anything else is a fault.
// The signature is libFuzzer's, so that `clang++ -fsanitize=fuzzer` can drive the same file.
#pragma once

#include <cstddef>
#include <cstdint>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);
