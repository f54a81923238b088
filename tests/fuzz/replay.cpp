// Replays a corpus through a fuzz target, then seeded mutations of it: what CI runs without a fuzzing engine.
//   replay CORPUS_FOLDER [MUTATIONS_PER_FILE] [SEED]
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>

#include "tests/fuzz/target.h"

namespace {

std::string read_file(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

std::string mutate(std::string text, std::mt19937_64& random) {
  static constexpr char kTokens[] = "{}[]\",:0-9.eExX@/\\'\n\0\xff 1234567890abcdefghijklmnop";
  const int edits = 1 + static_cast<int>(random() % 4);
  for (int e = 0; e < edits; ++e) {
    const std::size_t at = text.empty() ? 0 : random() % text.size();
    const char c = kTokens[random() % (sizeof kTokens - 1)];
    switch (random() % 4) {
      case 0:
        text.insert(at, 1, c);
        break;
      case 1:
        if (!text.empty()) text.erase(at, 1 + random() % 8);
        break;
      case 2:
        if (!text.empty()) text[at] = c;
        break;
      default:
        text.insert(at, text.substr(random() % (text.size() + 1), random() % 16));
        break;
    }
  }
  return text;
}

void feed(const std::string& text) {
  LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(text.data()), text.size());
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) return std::fprintf(stderr, "usage: replay CORPUS_FOLDER [MUTATIONS_PER_FILE] [SEED]\n"), 2;
  const long mutations = argc > 2 ? std::atol(argv[2]) : 2000;
  const unsigned long seed = argc > 3 ? std::strtoul(argv[3], nullptr, 10) : 1;
  std::mt19937_64 random(seed);
  std::size_t files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(argv[1])) {
    const std::string text = read_file(entry.path());
    feed(text);
    for (long m = 0; m < mutations; ++m) feed(mutate(text, random));
    ++files;
  }
  std::printf("%zu files, %ld mutations each, seed %lu\n", files, mutations, seed);
  return files == 0 ? 1 : 0;
}
