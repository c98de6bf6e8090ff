#include <filesystem>
#include <fstream>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

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
constexpr int kWarmUps = 10, kMinFrames = 20, kMaxFrames = 300;
constexpr double kBudgetUs = 1.5e6;
constexpr std::size_t kFramesInFlight = 2;  // as with the buffer swap of a window

// Draws frames into a texture.
class Frames {
 public:
  explicit Frames(const Settings& settings) : settings_(settings), screen_(GL_RGBA8, settings.size) {}

  // Draws frames of an animation at 60 frames per second until kBudgetUs is spent. `pulled`: the focus moves
  // in every frame.
  FrameStats draw(bool pulled) {
    Timings timings;
    for (int frame = 0; frame < kWarmUps; ++frame) drawOne(frame, pulled, timings);
    timings.clear();
    double spentUs = 0;
    for (int frame = 0; frame < kMaxFrames && (frame < kMinFrames || spentUs < kBudgetUs); ++frame) {
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
                                             static_cast<float>(frame) / static_cast<float>(kMaxFrames - 1));
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

// Temporary files of a photograph and its depth, deleted at the end of the program: patterned walls at many
// depths in front of a floor.
class Photograph {
 public:
  Photograph() {
    std::string name = (std::filesystem::temp_directory_path() / "satdof-bench-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("cannot make a folder in " + name);
    folder_ = name;
    const auto isWall = [](int x, int y) { return (x / 480 + y / 320) % 3 == 0; };
    write(image(), "P6", 3, [&](int x, int y, int c) {
      const int noise = (x / 8 * 7919 + y / 8 * 104729 + c * 31) % 97;
      return isWall(x, y) ? 90 + noise : 40 + noise / 2;
    });
    write(depth(), "P5", 1, [&](int x, int y, int) {
      return isWall(x, y) ? 60 + (x / 480 * 53 + y / 320 * 97) % 190 : 20 + y * 40 / kPhotograph.height;
    });
  }
  Photograph(const Photograph&) = delete;
  ~Photograph() {
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
  }
  std::filesystem::path image() const { return folder_ / "image.ppm"; }
  std::filesystem::path depth() const { return folder_ / "depth.pgm"; }

 private:
  template <class ByteOf>
  static void write(const std::filesystem::path& path, const char* magic, int channels, const ByteOf& byteOf) {
    std::ofstream file(path, std::ios::binary);
    file << magic << '\n' << kPhotograph.width << ' ' << kPhotograph.height << "\n255\n";
    std::vector<char> row(static_cast<std::size_t>(kPhotograph.width) * static_cast<std::size_t>(channels));
    for (int y = 0; y < kPhotograph.height; ++y) {
      for (std::size_t i = 0; i < row.size(); ++i) {
        const int at = static_cast<int>(i);
        row[i] = static_cast<char>(byteOf(at / channels, y, at % channels));
      }
      file.write(row.data(), static_cast<std::streamsize>(row.size()));
    }
    if (!file.flush()) throw std::runtime_error("cannot write " + path.string());
  }

  std::filesystem::path folder_;
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

Result frame(Settings settings) {
  needContext();
  if (const Availability& here = availability(settings.technique.device); !here.available)
    throw std::runtime_error(here.reason);
  if (settings.scene.kind == SceneKind::image) {
    static const Photograph photograph;
    settings.scene.image.file = {photograph.image().string()};
    settings.scene.image.depth = {photograph.depth().string()};
  }
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
  for (const Device& device : devices()) {
    const auto add = [&](const char* start, const std::string& lens, Settings settings, Size size) {
      settings.size = {size.width, size.height};
      settings.technique.device = device.id;
      settings.lens.overscan = Overscan::off;
      addRow(path({start, name(device.id), lens, nameOf(size)}), [settings] { return frame(settings); });
    };
    for (const Size size : kFrameSizes) {
      Settings sharp;
      sharp.technique.view = View::sharp;
      add("frame", "sharp", sharp, size);
    }
    for (const LensRow& lens : lenses()) {
      if (lens.accumulates) continue;
      Settings settings;
      settings.technique.lens.kind = lens.kind;
      for (const int layers : {1, 2}) {
        if (layers > 1 && !lens.layers) continue;
        settings.lens.layers = layers;
        for (const Size size : kFrameSizes)
          add("frame", name(lens.kind) + std::string(layers > 1 ? "-2" : ""), settings, size);
      }
      settings.lens.layers = 1;
      settings.scene.kind = SceneKind::image;
      if (device.kind == DeviceKind::cuda || device.kind == DeviceKind::openGl)
        add("photograph", name(lens.kind), settings, kPhotograph);
    }
  }
}

}  // namespace satdof::bench
