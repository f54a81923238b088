#include "tests/support/fake_backend.h"

#include "engine/runtime/function_kernel.h"
#include "engine/runtime/shared_memory_communicator.h"

namespace dtbench {
namespace {

thread_local Stream current_stream = Stream::compute;

class FakeDevice : public Device {
 public:
  FakeDevice(int index, std::shared_ptr<FakeSettings> settings) : index_(index), settings_(std::move(settings)) {}

  void enter(Stream stream) override {
    current_stream = stream;
    if (settings_->on_enter) settings_->on_enter(index_, stream);
  }

  std::byte* allocate(std::int64_t bytes) override {
    settings_->allocated_bytes += bytes;
    memory_.push_back(std::make_unique<std::byte[]>(static_cast<std::size_t>(bytes)));
    return memory_.back().get();
  }

  std::unique_ptr<Kernel> prepare(const KernelRequest& request) override {
    if (settings_->on_prepare) settings_->on_prepare(index_, request.op);
    return make_kernel([request, index = index_, settings = settings_, count = std::int64_t{0}]() mutable {
      if (settings->on_run)
        settings->on_run({index, current_stream, request.op, request.inputs, request.outputs, count, request.scalars});
      ++count;
    });
  }

 private:
  int index_;
  std::shared_ptr<FakeSettings> settings_;
  std::vector<std::unique_ptr<std::byte[]>> memory_;
};

class AnnouncedCollective : public Collective {
 public:
  AnnouncedCollective(std::unique_ptr<Collective> inner, std::shared_ptr<FakeSettings> settings)
      : inner_(std::move(inner)), settings_(std::move(settings)) {}
  void run(int member) override {
    if (settings_->on_collective) settings_->on_collective(member);
    inner_->run(member);
  }

 private:
  std::unique_ptr<Collective> inner_;
  std::shared_ptr<FakeSettings> settings_;
};

class AnnouncedCommunicator : public Communicator {
 public:
  AnnouncedCommunicator(int members, double wait_limit_seconds, std::shared_ptr<FakeSettings> settings)
      : inner_(members, wait_limit_seconds), settings_(std::move(settings)) {}
  std::unique_ptr<Collective> bind(const Schedule& schedule, std::vector<Buffer> buffers) override {
    return std::make_unique<AnnouncedCollective>(inner_.bind(schedule, std::move(buffers)), settings_);
  }
  void abort(int culprit, const std::string& reason) override { inner_.abort(culprit, reason); }

 private:
  SharedMemoryCommunicator inner_;
  std::shared_ptr<FakeSettings> settings_;
};

}  // namespace

FakeBackend::FakeBackend(int devices) : settings_(std::make_shared<FakeSettings>()) { settings_->devices = devices; }

BackendTraits FakeBackend::traits() const {
  BackendTraits traits;
  traits.name = "fake";
  return traits;
}

int FakeBackend::device_count(int) const { return settings_->devices; }

std::unique_ptr<Device> FakeBackend::open_device(int index, int) const {
  return std::make_unique<FakeDevice>(index, settings_);
}

std::unique_ptr<Communicator> FakeBackend::make_communicator(int members, double wait_limit_seconds) const {
  return std::make_unique<AnnouncedCommunicator>(members, wait_limit_seconds, settings_);
}

}  // namespace dtbench
