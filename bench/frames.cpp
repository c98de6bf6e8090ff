#include <memory>
#include <stdexcept>
#include <string>

#include "app/core/fields.h"
#include "app/device/device.h"
#include "app/gl/throttle.h"
#include "app/lens/lens.h"
#include "app/render/renderer.h"
#include "bench/bench.h"

namespace satdof::bench {

namespace {

constexpr Size kFrameSizes[] = {{1280, 720}, {1920, 1080}, {3840, 2160}};
constexpr Size kPhotograph = {6000, 4000};
constexpr float kPullFromM = 0.8f, kPullToM = 8.0f;
constexpr int kWarmUps = 10, kFewest = 20, kMost = 300;
constexpr double kBudgetUs = 1.5e6;
constexpr size_t kFramesInFlight = 2;  // as a window's buffer swap keeps them

// Frames drawn into a texture.
class Frames {
 public:
  explicit Frames(const Settings& settings) : settings_(settings), screen_(GL_RGBA8, settings.size) {}

  // Draws frames of an animation of 60 a second until the budget is spent. `pulled`: the focus moves in each.
  FrameStats draw(bool pulled) {
    Timings timings;
    for (int frame = 0; frame < kWarmUps; ++frame) drawOne(frame, pulled, timings);
    timings.clear();
    double spentUs = 0;
    for (int frame = 0; frame < kMost && (frame < kFewest || spentUs < kBudgetUs); ++frame) {
      drawOne(frame, pulled, timings);
      spentUs += timings.stats().frame.latestUs();
    }
    timings.finish();
    return timings.stats();
  }

 private:
  void drawOne(int frame, bool pulled, Timings& timings) {
    Settings settings = settings_;
    if (pulled)
      settings.lens.focusDistanceM = between(Interpolation::diopters, kPullFromM, kPullToM,
                                             static_cast<float>(frame) / static_cast<float>(kMost - 1));
    timings.beginFrame();
    const FrameResult result = renderer_.render(settings, {.timeS = frame / 60.0, .focusAt = {}}, timings);
    if (!result.message.empty()) throw std::runtime_error(result.message);
    renderer_.present(framebuffer_.name(), settings.size, settings, timings);
    timings.endFrame();
    throttle_.pieceDone(kFramesInFlight);
  }

  Settings settings_;
  Renderer renderer_;
  gl::Texture screen_;
  gl::Framebuffer framebuffer_{screen_};
  gl::Throttle throttle_;
};

const Stage* find(const FrameStats& stats, const std::string& name) {
  for (const Stage& stage : stats.stages)
    if (stage.name == name) return &stage;
  return nullptr;
}

double medianUs(const FrameStats& stats, const std::string& name) {
  const Stage* const stage = find(stats, name);
  return stage ? stage->medianUs() : 0.0;
}

Result frame(SceneKind scene, DeviceId device, LensKind lens, int layers, Size size) {
  needContext();
  if (const Availability& here = availability(device); !here.available) throw std::runtime_error(here.reason);
  Settings settings;
  settings.scene.kind = scene;
  settings.size = {size.width, size.height};
  settings.technique.device = device;
  settings.technique.lens.kind = lens;
  settings.lens.overscan = Overscan::off;
  settings.lens.layers = layers;
  Frames frames(settings);
  const FrameStats still = frames.draw(false), pulled = frames.draw(true);
  const auto& samples = still.frame.samplesUs;
  const Stage* const map = find(still, "map");
  Result result{{{samples.begin(), samples.end()}}};
  result.counters = {
      {"addsUs", still.frame.medianUs() - medianUs(still, "scene") - medianUs(still, "present")},
      {"sceneUs", medianUs(still, "scene")},
      {"p99Us", still.frame.percentileUs(0.99)},
      {"pulledUs", pulled.frame.medianUs()},
      {"pulledP99Us", pulled.frame.percentileUs(0.99)},
      {"crossings", map ? static_cast<double>(map->counted) / static_cast<double>(samples.size()) : 0.0}};
  return result;
}

}  // namespace

void addFrames() {
  for (const Device& device : devices())
    for (const LensRow& lens : lenses())
      for (const int layers : {1, 2})
        for (const Size size : kFrameSizes) {
          if (lens.accumulates || (layers > 1 && !lens.layers)) continue;
          const std::string lensName = name(lens.kind) + std::string(layers > 1 ? "-2" : "");
          const auto add = [&](const char* start, SceneKind scene, Size extent) {
            addRow(path({start, name(device.id), lensName, nameOf(extent)}),
                   [=, id = device.id, kind = lens.kind] { return frame(scene, id, kind, layers, extent); });
          };
          add("frame", SceneKind::teapots, size);
          const bool onGpu = device.kind == DeviceKind::cuda || device.kind == DeviceKind::openGl;
          if (onGpu && layers == 1 && size.width == kFrameSizes[0].width)
            add("photograph", SceneKind::image, kPhotograph);
        }
}

}  // namespace satdof::bench
