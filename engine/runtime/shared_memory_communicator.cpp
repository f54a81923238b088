#include "engine/runtime/shared_memory_communicator.h"

#include <fmt/format.h>

#include <algorithm>
#include <mutex>

#include "engine/runtime/collective_program.h"

namespace dtbench {

std::string number_list(const std::vector<int>& numbers) {
  std::string text;
  for (const int number : numbers) text += fmt::format("{}{}", text.empty() ? "" : ", ", number);
  return text;
}

MembersMissing::MembersMissing(std::vector<int> members, double waited_seconds)
    : Error(ExitCode::run_failed, {"collective", fmt::format("member {} missing", number_list(members)),
                                   fmt::format("every member within {} s", waited_seconds), ""}),
      members_(std::move(members)),
      waited_seconds_(waited_seconds) {}

struct SharedMemoryCommunicator::Members {
  Members(int members, double limit, WaitPolicy wait_policy)
      : progress(static_cast<std::size_t>(members)), wait_limit_seconds(limit), policy(wait_policy) {}

  std::vector<ProgressCounter> progress;  ///< a call of R rounds advances it R + 1 times: arrived, then each round
  const double wait_limit_seconds;
  const WaitPolicy policy;
  std::atomic<bool> aborted{false};
  std::mutex mutex;    ///< of `reason`
  std::string reason;  ///< of the abort; empty before

  ProgressCounter& of(int member) { return progress[static_cast<std::size_t>(member)]; }
  Deadline deadline() const {
    return std::chrono::steady_clock::now() + std::chrono::duration_cast<std::chrono::steady_clock::duration>(
                                                  std::chrono::duration<double>(wait_limit_seconds));
  }
  void wait_for(int peer, std::uint32_t target, std::uint32_t arrival);
  std::vector<int> missing(std::uint32_t arrival) const;
  [[noreturn]] void throw_aborted();
};

namespace {

bool is_behind(std::uint32_t a, std::uint32_t b) { return static_cast<std::int32_t>((a << 1) - (b << 1)) < 0; }

class SharedMemoryCollective : public Collective {
 public:
  SharedMemoryCollective(std::shared_ptr<SharedMemoryCommunicator::Members> members,
                         std::vector<CollectiveProgram> programs)
      : members_(std::move(members)), programs_(std::move(programs)) {}

  void run(int member) override {
    if (members_->aborted.load(std::memory_order_acquire)) members_->throw_aborted();
    const CollectiveProgram& program = programs_[static_cast<std::size_t>(member)];
    if (program.empty()) return;
    ProgressCounter& own = members_->of(member);
    const std::uint32_t arrival = own.value() + 1;
    own.advance();
    for (std::size_t k = 0; k < program.size(); ++k) {
      for (const int peer : program[k].wait_for)
        members_->wait_for(peer, arrival + static_cast<std::uint32_t>(k), arrival);
      for (const ChunkMove& move : program[k].moves) execute(move);
      if (k + 1 < program.size()) own.advance();
    }
  }

 private:
  std::shared_ptr<SharedMemoryCommunicator::Members> members_;
  std::vector<CollectiveProgram> programs_;
};

}  // namespace

void SharedMemoryCommunicator::Members::wait_for(int peer, std::uint32_t target, std::uint32_t arrival) {
  if (of(peer).reached(target)) return;
  switch (of(peer).wait(target, policy, deadline())) {
    case WaitOutcome::reached:
      return;
    case WaitOutcome::interrupted:
      throw_aborted();
    case WaitOutcome::timed_out:
      throw MembersMissing(missing(arrival), wait_limit_seconds);
  }
}

// Who has not arrived; when all have, those that stopped on the way.
std::vector<int> SharedMemoryCommunicator::Members::missing(std::uint32_t arrival) const {
  std::vector<std::uint32_t> counts;
  for (const ProgressCounter& counter : progress) counts.push_back(counter.value());
  const std::uint32_t least = *std::min_element(counts.begin(), counts.end(), is_behind);
  std::vector<int> members;
  for (std::size_t m = 0; m < counts.size(); ++m)
    if (is_behind(counts[m], arrival) || counts[m] == least) members.push_back(static_cast<int>(m));
  return members;
}

void SharedMemoryCommunicator::Members::throw_aborted() {
  const std::lock_guard lock(mutex);
  throw Error(ExitCode::run_failed, {"collective", reason, "", ""});
}

SharedMemoryCommunicator::SharedMemoryCommunicator(int members, double wait_limit_seconds, WaitPolicy policy)
    : members_(std::make_shared<Members>(members, wait_limit_seconds, policy)) {}

SharedMemoryCommunicator::~SharedMemoryCommunicator() = default;

std::unique_ptr<Collective> SharedMemoryCommunicator::bind(const Schedule& schedule, std::vector<Buffer> buffers) {
  DTBENCH_CHECK(schedule.ranks == static_cast<int>(members_->progress.size()));
  std::vector<CollectiveProgram> programs;
  for (int member = 0; member < schedule.ranks; ++member)
    programs.push_back(compile_for_member(schedule, buffers, member));
  return std::make_unique<SharedMemoryCollective>(members_, std::move(programs));
}

void SharedMemoryCommunicator::abort(int culprit, const std::string& reason) {
  {
    const std::lock_guard lock(members_->mutex);
    if (!members_->reason.empty()) return;
    members_->reason = culprit >= 0 ? fmt::format("member {} failed: {}", culprit, reason) : "aborted: " + reason;
  }
  members_->aborted.store(true, std::memory_order_release);
  for (ProgressCounter& counter : members_->progress) counter.interrupt();
}

}  // namespace dtbench
