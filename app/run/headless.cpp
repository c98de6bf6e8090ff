#include "app/run/headless.h"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <limits>
#include <optional>
#include <stdexcept>
#include <utility>

#include "app/gl/debug.h"
#include "app/gl/read_rgb.h"
#include "app/gl/throttle.h"
#include "app/lab/table_benchmark.h"
#include "app/quality/comparison.h"
#include "app/render/renderer.h"
#include "app/run/capture.h"
#include "app/run/headless_context.h"
#include "app/run/limits.h"
#include "app/run/stats_file.h"

namespace satdof {

namespace {

constexpr int kMaxWarmUpFrames = 10;
constexpr int kMaxFocusFrames = 600;
constexpr size_t kFramesInFlight = 2;
constexpr float kDefaultFramesPerSecond = 60.0f;

#ifdef NDEBUG
constexpr bool kDebugBuild = false;
#else
constexpr bool kDebugBuild = true;
#endif

// "frame 12 of 600" on stderr: in place on a terminal, else a line every ten seconds.
class Progress {
 public:
  Progress(const char* what, int total) : what_(what), total_(total) {}
  ~Progress() {
    if (shown_ && terminal_) std::fputs("\r\x1b[K", stderr);
  }
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  void show(int done) {
    const auto now = std::chrono::steady_clock::now();
    if (now - last_ < (terminal_ ? std::chrono::milliseconds(200) : std::chrono::seconds(10))) return;
    last_ = now;
    shown_ = true;
    std::fprintf(stderr, terminal_ ? "\r%s %d of %d" : "%s %d of %d\n", what_, done, total_);
  }

 private:
  const char* what_;
  int total_;
  bool terminal_ = isatty(STDERR_FILENO) == 1;
  bool shown_ = false;
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

void requireNoErrors() {
  if (gl::debugErrorCount() > 0) throw std::runtime_error("OpenGL error: " + gl::firstDebugError());
  if (const GLenum error = glGetError(); error == GL_OUT_OF_MEMORY)
    throw std::runtime_error("OpenGL is out of memory; try a smaller --size or fewer --samples");
}

// "image.png" -> "image-reference.png".
std::filesystem::path suffixed(const std::filesystem::path& path, const std::string& suffix) {
  return path.parent_path() / (path.stem().string() + "-" + suffix + path.extension().string());
}

void print(const Comparison& comparison) {
  const auto text = [](const ImageMetrics& metrics) {
    char line[64];
    std::snprintf(line, sizeof line, "PSNR %.2f dB, SSIM %.4f", metrics.psnrDb,
                  metrics.ssim.value_or(std::numeric_limits<double>::quiet_NaN()));
    return std::string(line);
  };
  std::printf("against %s: %s", name(comparison.lens), text(comparison.metrics).c_str());
  if (comparison.noiseFloor)
    std::printf(" (noise floor of %d samples: %s)", comparison.samples, text(*comparison.noiseFloor).c_str());
  std::printf("\n");
}

}  // namespace

void runHeadless(const CommandLine& line) {
  Settings settings = line.settings();
  settings.lens.autofocus &= !line.focusSweep;
  const HeadlessContext context(line.glDebug || kDebugBuild);
  Settings largest = settings;
  largest.split.enabled |= line.compare.has_value() || !line.benchmark.empty();
  requireRoom(largest);
  Renderer renderer;
  FrameResult result;
  Timings timings;
  gl::Throttle throttle;
  const gl::Texture screen(GL_RGBA8, settings.size);
  const gl::Framebuffer framebuffer(screen);
  const size_t inFlight = settings.lens.autofocus ? 0 : kFramesInFlight;

  const auto draw = [&](float timeS) {
    timings.beginFrame();
    result = renderer.render(settings, {.timeS = timeS, .focusAt = {}}, timings);
    applyFocus(settings, result);
    if (!result.message.empty()) throw std::runtime_error(result.message);
    renderer.present(framebuffer.name(), settings.size, settings, timings);
    timings.endFrame();
    throttle.pieceDone(inFlight);
    requireNoErrors();
  };
  const auto refine = [&](int samples, float timeS) {
    Progress progress("sample", samples);
    do {
      draw(timeS);
      progress.show(static_cast<int>(result.progress * static_cast<float>(samples)));
    } while (result.progress < 1.0f);
  };
  // Until the focus stands still and then an image that is refined over several frames is finished.
  const auto settle = [&](float timeS) {
    for (int i = 0; i < kMaxFocusFrames && result.focusPending; ++i) draw(timeS);
    if (result.progress == 1.0f) return;
    const bool autofocus = std::exchange(settings.lens.autofocus, false);
    refine(settings.lens.lensSamples, timeS);
    settings.lens.autofocus = autofocus;
  };

  const int frames = std::max(1, line.frames);
  const int warmUpFrames = std::min(kMaxWarmUpFrames, frames / 2);
  const float framesPerSecond = line.framesPerSecond > 0 ? line.framesPerSecond : kDefaultFramesPerSecond;
  float timeS = settings.scene.timeS;
  Progress progress("frame", frames);
  for (int i = 0; i < frames; ++i) {
    if (i == warmUpFrames) timings.clear();
    if (settings.scene.animate) timeS = settings.scene.timeS + static_cast<float>(i) / framesPerSecond;
    if (line.focusSweep) settings.lens.focusDistanceM = focusDistanceM(*line.focusSweep, i, frames);
    draw(timeS);
    if (i == 0 && settings.lens.autofocus) settle(timeS);
    if (!line.sequence.empty()) {
      timings.finish();
      settle(timeS);
      capture(renderer, settings, timeS, numberedPath(line.sequence), {.bitDepth = line.bitDepth});
    }
    progress.show(i + 1);
  }
  timings.finish();
  const FrameStats stats = timings.stats();
  if (!line.capture.empty()) {
    settle(timeS);
    capture(renderer, settings, timeS, line.capture, {.bitDepth = line.bitDepth});
  }
  const std::string state = result.state;
  std::optional<Comparison> comparison;
  if (line.compare) {
    const Settings asked = settings;
    settings.lens.autofocus = false;
    const auto drawRefined = [&](const Settings& wanted) {
      settings = wanted;
      refine(wanted.lens.lensSamples, timeS);
      const gl::Texture target(GL_RGBA32F, settings.size);
      const gl::Framebuffer output(target);
      renderer.present(output.name(), settings.size, settings, timings);
      return readRgb<float>(target, GL_FLOAT);
    };
    const auto captureOther = [&](const Settings& drawn, const std::string& suffix) {
      if (!line.capture.empty())
        capture(renderer, drawn, timeS, suffixed(line.capture, suffix), {.bitDepth = line.bitDepth});
    };
    comparison = compare(settings, *line.compare, drawRefined, captureOther);
    settings = asked;
  }
  if (!line.stats.empty()) writeStats(line.stats, settings, state, stats, frames, warmUpFrames, comparison);
  std::string benchmarkTable;
  if (!line.benchmark.empty()) {
    TableBenchmark benchmark(renderer.image());
    Progress builds("build", benchmark.builds());
    while (!benchmark.finished()) {
      benchmark.advance();
      builds.show(benchmark.buildsDone());
    }
    writeBenchmark(line.benchmark, benchmark);
    benchmarkTable = benchmarkText(benchmark);
  }
  requireNoErrors();
  std::printf("%d frame%s of %dx%d, median %.2f ms (%s)\n", frames, frames == 1 ? "" : "s", settings.size.x,
              settings.size.y, stats.frame.medianUs() * 1e-3, state.c_str());
  if (comparison) print(*comparison);
  std::fputs(benchmarkTable.c_str(), stdout);
}

}  // namespace satdof
