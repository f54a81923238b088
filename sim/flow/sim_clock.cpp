#include "sim/flow/sim_clock.h"

#include <simgrid/kernel/Timer.hpp>
#include <simgrid/s4u.hpp>

#include <simgrid/version.h>

#include <cmath>
#include <cstdint>
#include <queue>
#include <string>
#include <unordered_map>
#include <utility>

#include "sim/flow/settings.h"
#include "topologies/base/error.h"

namespace dtbench {
namespace {

namespace s4u = simgrid::s4u;

s4u::Engine* make_engine() {
  static bool made = false;
  DTBENCH_CHECK(!made);
  made = true;
  static char program[] = "dtbench", log[] = "--log=root.thres:warning";
  static char* arguments[] = {program, log, nullptr};
  static int count = 2;
  return new s4u::Engine(&count, arguments);  // lives as long as the process: the library cannot be set up twice
}

void apply_settings() {
  for (const SimGridSetting& setting : kSimGridSettings) {
    std::string_view name = setting.name;
#if SIMGRID_VERSION < 33400
    if (!setting.name_before_3_34.empty()) name = setting.name_before_3_34;
#endif
    s4u::Engine::set_config(std::string(name) + ":" + std::string(setting.value));
  }
}

s4u::NetZone* root_zone(s4u::Engine& engine) {
#if SIMGRID_VERSION < 40000  // before 4.0 the first zone becomes the root
  if (engine.get_netzone_root() == nullptr) s4u::create_full_zone("root");
#endif
  return engine.get_netzone_root();
}

s4u::NetZone* add_zone(s4u::NetZone* root, const std::string& name) {
#if SIMGRID_VERSION >= 40000
  return root->add_netzone_full(name);
#else
  return s4u::create_full_zone(name)->set_parent(root);
#endif
}

s4u::Link* make_link(s4u::NetZone* zone, const std::string& name, double bandwidth) {
#if SIMGRID_VERSION >= 40000
  s4u::Link* link = zone->add_link(name, bandwidth);
#else
  s4u::Link* link = zone->create_link(name, bandwidth);
#endif
  return link->set_latency(kLinkLatencySeconds);
}

s4u::Host* make_end(s4u::NetZone* zone, const std::string& name) {
#if SIMGRID_VERSION >= 40000
  return zone->add_host(name, 1.0);
#else
  return zone->create_host(name, 1.0);
#endif
}

void make_route(s4u::NetZone* zone, s4u::Host* from, s4u::Host* to, const std::vector<s4u::LinkInRoute>& links) {
#if SIMGRID_VERSION >= 33500
  zone->add_route(from, to, links, false);
#else
  zone->add_route(from->get_netpoint(), to->get_netpoint(), nullptr, nullptr, links, false);
#endif
}

struct Flow {
  s4u::CommPtr comm;
  std::function<void()> done;
};

struct Timeout {
  double date;
  std::uint64_t order;
  std::function<void()> then;
};

struct Later {
  bool operator()(const Timeout& a, const Timeout& b) const {
    return a.date != b.date ? a.date > b.date : a.order > b.order;
  }
};

}  // namespace

struct SimClock::Engine {
  s4u::Engine* engine = make_engine();
  s4u::NetZone* root = nullptr;
  s4u::NetZone* link_zone = nullptr;
  std::vector<s4u::Link*> links;
  std::vector<std::pair<s4u::Host*, s4u::Host*>> routes;  // two hosts that exist for this route only
  std::unordered_map<const s4u::Activity*, Flow> flows;
  std::vector<s4u::CommPtr> finished;  // 3.32 still touches an activity after its callback
  std::priority_queue<Timeout, std::vector<Timeout>, Later> timeouts;
  std::uint64_t asked = 0;

  Engine() {
    apply_settings();
    root = root_zone(*engine);
    link_zone = add_zone(root, "links");
    s4u::Comm::on_completion_cb([this](const s4u::Activity& activity) { flow_ended(activity); });
    s4u::Engine::on_time_advance_cb([this](double) { finished.clear(); });
  }

  void flow_ended(const s4u::Activity& activity) {
    auto node = flows.extract(&activity);
    DTBENCH_CHECK(!node.empty());
    finished.push_back(std::move(node.mapped().comm));
    node.mapped().done();
  }

  // Each timeout has a kernel timer of the same date; equal kernel timers fire in any order, the queue knows the right
  // one.
  void timer_fired() {
    auto then = std::move(const_cast<Timeout&>(timeouts.top()).then);
    timeouts.pop();
    then();
  }
};

SimClock::SimClock() : engine_(std::make_unique<Engine>()) {}
SimClock::~SimClock() = default;

int SimClock::add_link(double bandwidth) {
  DTBENCH_CHECK(bandwidth > 0 && std::isfinite(bandwidth));
  const int id = static_cast<int>(engine_->links.size());
  engine_->links.push_back(
      make_link(engine_->link_zone, "link" + std::to_string(id), bandwidth * kPayloadUnitsPerByte));
  return id;
}

int SimClock::add_route(const std::vector<LinkUse>& uses) {
  DTBENCH_CHECK(!uses.empty());
  std::vector<s4u::LinkInRoute> links;
  for (const LinkUse& use : uses) {
    DTBENCH_CHECK(use.times >= 1);
    // A full zone keeps a link that is listed k times, and shares it out as if k flows crossed it; a star zone doesn't.
    links.insert(links.end(), static_cast<std::size_t>(use.times),
                 s4u::LinkInRoute(engine_->links.at(static_cast<std::size_t>(use.link))));
  }
  const int id = static_cast<int>(engine_->routes.size());
  const std::string name = std::to_string(id);
  s4u::NetZone* zone = add_zone(engine_->root, "route" + name);
  s4u::Host* from = make_end(zone, "from" + name);
  s4u::Host* to = make_end(zone, "to" + name);
  make_route(zone, from, to, links);
  engine_->routes.emplace_back(from, to);
  return id;
}

double SimClock::now() const { return s4u::Engine::get_clock(); }

void SimClock::after(double seconds, std::function<void()> then) {
  DTBENCH_CHECK(seconds >= 0);
  const double date = now() + seconds;
  engine_->timeouts.push({date, engine_->asked++, std::move(then)});
  simgrid::kernel::timer::Timer::set(date, [engine = engine_.get()] { engine->timer_fired(); });
}

void SimClock::start_flow(int route, double bytes, std::function<void()> done) {
  DTBENCH_CHECK(bytes >= 0 && bytes < 0x1p53 / kPayloadUnitsPerByte);
  const auto units = static_cast<std::uint64_t>(std::llround(bytes * kPayloadUnitsPerByte));
  if (units == 0) return after(0, std::move(done));
  const auto& [from, to] = engine_->routes.at(static_cast<std::size_t>(route));
  s4u::CommPtr comm = s4u::Comm::sendto_init(from, to);
  comm->set_payload_size(units);
  engine_->flows.emplace(comm.get(), Flow{comm, std::move(done)});
  comm->start();
}

void SimClock::run() {
  engine_->engine->seal_platform();
  engine_->engine->run();
  DTBENCH_CHECK(engine_->flows.empty() && engine_->timeouts.empty());
}

}  // namespace dtbench
