#include "sim/flow/isolated_run.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "topologies/base/error.h"

namespace dtbench {
namespace {

using Clock = std::chrono::steady_clock;

class FileDescriptor {
 public:
  explicit FileDescriptor(int fd = -1) : fd_(fd) {}
  FileDescriptor(FileDescriptor&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  FileDescriptor& operator=(FileDescriptor&& other) noexcept {
    std::swap(fd_, other.fd_);
    return *this;
  }
  ~FileDescriptor() { close(); }
  int get() const { return fd_; }
  bool is_open() const { return fd_ >= 0; }
  void close() {
    if (fd_ >= 0) ::close(fd_);
    fd_ = -1;
  }

 private:
  int fd_;
};

struct Pipe {
  FileDescriptor read, write;
};

[[noreturn]] void throw_run_failed(std::string found, std::string hint = "") {
  throw Error(ExitCode::run_failed,
              {"simulation", std::move(found), "a result from its child process", std::move(hint)});
}

Pipe make_pipe() {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) throw_run_failed(fmt::format("no pipe: {}", std::strerror(errno)));
  return {FileDescriptor(ends[0]), FileDescriptor(ends[1])};
}

// ---- the record: one byte for what it is, then numbers or the parts of an Error, each with its size in front

enum class Record : char { numbers = 'n', error = 'e' };

void append(std::string& to, const void* from, std::size_t bytes) { to.append(static_cast<const char*>(from), bytes); }

void append_sized(std::string& to, const void* from, std::size_t bytes) {
  const std::uint64_t size = bytes;
  append(to, &size, sizeof size);
  append(to, from, bytes);
}

std::string numbers_record(const std::vector<double>& numbers) {
  std::string record(1, static_cast<char>(Record::numbers));
  append_sized(record, numbers.data(), numbers.size() * sizeof(double));
  return record;
}

std::string error_record(ExitCode code, const ErrorParts& parts) {
  std::string record(1, static_cast<char>(Record::error));
  const int number = static_cast<int>(code);
  append_sized(record, &number, sizeof number);
  for (const std::string* part : {&parts.where, &parts.found, &parts.expected, &parts.hint})
    append_sized(record, part->data(), part->size());
  return record;
}

/// The fields of a record, or nothing while bytes are missing.
std::optional<std::vector<std::string_view>> fields(std::string_view record) {
  if (record.empty()) return std::nullopt;
  std::size_t wanted = record[0] == static_cast<char>(Record::numbers) ? 1 : 5;
  record.remove_prefix(1);
  std::vector<std::string_view> result;
  for (std::uint64_t size = 0; wanted > 0; --wanted) {
    if (record.size() < sizeof size) return std::nullopt;
    std::memcpy(&size, record.data(), sizeof size);
    record.remove_prefix(sizeof size);
    if (record.size() < size) return std::nullopt;
    result.push_back(record.substr(0, size));
    record.remove_prefix(size);
  }
  return result;
}

std::vector<double> open_record(char kind, const std::vector<std::string_view>& parts) {
  if (kind == static_cast<char>(Record::error)) {
    int code = 0;
    std::memcpy(&code, parts[0].data(), sizeof code);
    throw Error(static_cast<ExitCode>(code),
                {std::string(parts[1]), std::string(parts[2]), std::string(parts[3]), std::string(parts[4])});
  }
  std::vector<double> numbers(parts[0].size() / sizeof(double));
  if (!numbers.empty()) std::memcpy(numbers.data(), parts[0].data(), parts[0].size());
  return numbers;
}

// ---- the child

std::string record_of(const std::function<std::vector<double>()>& work) {
  try {
    return numbers_record(work());
  } catch (const Error& error) {
    return error_record(error.code(), error.parts());
  } catch (const std::exception& error) {
    return error_record(ExitCode::run_failed, {"simulation", error.what(), "", ""});
  }
}

[[noreturn]] void be_the_child(const std::function<std::vector<double>()>& work, int result, int messages) noexcept {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  for (int signal : {SIGINT, SIGTERM, SIGHUP, SIGABRT}) ::signal(signal, SIG_DFL);
  const rlimit no_core{0, 0};
  ::setrlimit(RLIMIT_CORE, &no_core);
  ::dup2(messages, STDOUT_FILENO);
  ::dup2(messages, STDERR_FILENO);
  const std::string record = record_of(work);
  std::size_t sent = 0;
  while (sent < record.size()) {
    const ssize_t written = ::write(result, record.data() + sent, record.size() - sent);
    if (written < 0 && errno != EINTR) std::_Exit(1);
    if (written > 0) sent += static_cast<std::size_t>(written);
  }
  std::_Exit(0);
}

// ---- the parent

class Child {
 public:
  explicit Child(pid_t pid) : pid_(pid) {}
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;
  ~Child() { end(); }

  /// How it ended, once it has.
  std::optional<int> ended() {
    if (pid_ <= 0) return std::nullopt;
    int status = 0;
    const pid_t found = ::waitpid(pid_, &status, WNOHANG);
    const bool reaped_by_the_system = found < 0 && errno == ECHILD;  // the program ignores SIGCHLD
    if (found != pid_ && !reaped_by_the_system) return std::nullopt;
    pid_ = 0;
    return status;
  }
  void end() {
    if (pid_ <= 0) return;
    ::kill(pid_, SIGKILL);
    while (::waitpid(pid_, nullptr, 0) < 0 && errno == EINTR) {
    }
    pid_ = 0;
  }

 private:
  pid_t pid_;
};

/// Takes what is there; closes at the end of the pipe.
void drain(FileDescriptor& from, std::string& into) {
  char buffer[65536];
  while (from.is_open()) {
    const ssize_t got = ::read(from.get(), buffer, sizeof buffer);
    if (got > 0) {
      append(into, buffer, static_cast<std::size_t>(got));
    } else if (got == 0) {
      from.close();
    } else if (errno != EINTR) {
      return;  // nothing there yet
    }
  }
}

std::string last_line(const std::string& text) {
  const std::size_t end = text.find_last_not_of(" \n");
  if (end == std::string::npos) return "";
  const std::size_t line = text.rfind('\n', end);
  const std::size_t begin = line == std::string::npos ? 0 : line + 1;
  return text.substr(begin, end + 1 - begin);
}

[[noreturn]] void throw_ended(int status, const std::string& messages) {
  const std::string how = WIFSIGNALED(status) ? fmt::format("child ended by signal {} ({})", WTERMSIG(status),
                                                            ::strsignal(WTERMSIG(status)))
                                              : fmt::format("child ended with status {}", WEXITSTATUS(status));
  const std::string line = last_line(messages);
  throw_run_failed(line.empty() ? how : how + " after \"" + line + "\"", "please report this as a bug of dtbench");
}

void pass_on(const std::string& messages) {
  for (std::size_t sent = 0; sent < messages.size();) {
    const ssize_t written = ::write(STDERR_FILENO, messages.data() + sent, messages.size() - sent);
    if (written <= 0) return;
    sent += static_cast<std::size_t>(written);
  }
}

void wait_for_news(const FileDescriptor& result, const FileDescriptor& messages) {
  pollfd watched[] = {{result.get(), POLLIN, 0}, {messages.get(), POLLIN, 0}};
  // Closed ends are ignored. Short, since a child of another thread may hold the other end open after ours has ended.
  const bool both_closed = !result.is_open() && !messages.is_open();
  ::poll(watched, 2, both_closed ? 1 : 20);
}

}  // namespace

std::vector<double> isolated_run(const std::function<std::vector<double>()>& work, double limit_seconds) {
  Pipe result = make_pipe(), messages = make_pipe();
  const pid_t pid = ::fork();
  if (pid < 0) throw_run_failed(fmt::format("no child process: {}", std::strerror(errno)));
  if (pid == 0) be_the_child(work, result.write.get(), messages.write.get());
  Child child(pid);
  result.write.close();
  messages.write.close();
  for (int fd : {result.read.get(), messages.read.get()}) ::fcntl(fd, F_SETFL, O_NONBLOCK);

  const auto deadline = Clock::now() + std::chrono::duration<double>(limit_seconds);
  std::string record, text;
  for (;;) {
    const std::optional<int> status = child.ended();  // first, so that what it wrote before is all there to read
    drain(result.read, record);
    drain(messages.read, text);
    if (const auto parts = fields(record)) {
      pass_on(text);
      return open_record(record[0], *parts);  // ~Child ends it: it has nothing left to do
    }
    if (status) throw_ended(*status, text);
    if (Clock::now() >= deadline)
      throw_run_failed(fmt::format("not finished after {} s", limit_seconds),
                       "a smaller plan, or --fidelity closed-form");
    wait_for_news(result.read, messages.read);
  }
}

}  // namespace dtbench
