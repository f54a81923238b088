#include "tests/cli/program.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <stdexcept>

namespace dtbench {

namespace {

using Clock = std::chrono::steady_clock;

struct Pipe {
  int read_end = -1, write_end = -1;
  Pipe() {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) throw std::runtime_error("pipe2 failed");
    read_end = ends[0];
    write_end = ends[1];
  }
};

[[noreturn]] void become_dtbench(const std::vector<std::string>& words, StandardOutput output, const Pipe& out,
                                 const Pipe& err) {
  std::signal(SIGPIPE, SIG_DFL);
  dup2(open("/dev/null", O_RDONLY), STDIN_FILENO);
  dup2(err.write_end, STDERR_FILENO);
  if (output == StandardOutput::closed) close(STDOUT_FILENO);
  if (output == StandardOutput::full) dup2(open("/dev/full", O_WRONLY), STDOUT_FILENO);
  if (output == StandardOutput::collected || output == StandardOutput::reader_has_left)
    dup2(out.write_end, STDOUT_FILENO);
  std::vector<char*> arguments{const_cast<char*>("dtbench")};
  for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  const char* program = std::getenv("DTBENCH_PROGRAM");
  if (program != nullptr) execv(program, arguments.data());
  _exit(127);
}

/// Reads both pipes until they end or the deadline passes; false when it passed.
bool collect(std::array<int, 2> descriptors, std::array<std::string*, 2> texts, Clock::time_point deadline) {
  std::array<pollfd, 2> waiting = {{{descriptors[0], POLLIN, 0}, {descriptors[1], POLLIN, 0}}};
  while (waiting[0].fd >= 0 || waiting[1].fd >= 0) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now()).count();
    if (left <= 0 || poll(waiting.data(), waiting.size(), static_cast<int>(left)) == 0) return false;
    for (std::size_t i = 0; i < waiting.size(); ++i) {
      if (waiting[i].fd < 0 || waiting[i].revents == 0) continue;
      char buffer[4096];
      const ssize_t count = read(waiting[i].fd, buffer, sizeof buffer);
      if (count > 0) texts[i]->append(buffer, static_cast<std::size_t>(count));
      if (count <= 0) waiting[i].fd = -1;
    }
  }
  return true;
}

}  // namespace

Outcome dtbench_says(const std::vector<std::string>& words, StandardOutput output, double limit_seconds) {
  const Pipe out, err;
  if (output == StandardOutput::reader_has_left) close(out.read_end);
  const pid_t child = fork();
  if (child == 0) become_dtbench(words, output, out, err);
  close(out.write_end);
  close(err.write_end);
  Outcome outcome;
  const auto limit = std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(limit_seconds));
  const int readable = output == StandardOutput::reader_has_left ? -1 : out.read_end;
  if (!collect({readable, err.read_end}, {&outcome.out, &outcome.err}, Clock::now() + limit)) kill(child, SIGKILL);
  int status = 0;
  waitpid(child, &status, 0);
  if (readable >= 0) close(readable);
  close(err.read_end);
  outcome.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return outcome;
}

std::string shown(const std::vector<std::string>& words) {
  std::string text = "dtbench";
  for (const std::string& word : words) text += " " + word;
  return text;
}

std::string temporary_path(const std::string& name) {
  struct Folder {
    std::string path = (std::filesystem::temp_directory_path() / "dtbench-cli-XXXXXX").string();
    Folder() {
      if (mkdtemp(path.data()) == nullptr) throw std::runtime_error("mkdtemp failed");
    }
    ~Folder() { std::filesystem::remove_all(path); }
  };
  static const Folder folder;
  return folder.path + "/" + name;
}

}  // namespace dtbench
