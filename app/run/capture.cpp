#include "app/run/capture.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <ctime>

#include "app/core/files.h"
#include "app/core/settings_json.h"
#include "app/device/device.h"
#include "app/gl/transfer.h"
#include "app/io/png.h"
#include "app/lens/lens.h"
#include "app/run/limits.h"
#include "app/scene/targets.h"

namespace satdof {

namespace {

// Settings that draw the same image again, on another machine, too: fixed time and focus, nothing automatic.
Settings frozen(Settings settings, float timeS) {
  settings.scene.timeS = timeS;
  settings.scene.samples = offeredSamples(settings.scene.samples);
  settings.lens.autofocus = false;
  settings.technique = resolve(settings.technique);
  settings.split.b = resolve(settings.split.b);
  return settings;
}

std::vector<PngText> textsOf(const Settings& settings) {
  const std::time_t now = std::time(nullptr);
  std::tm utc{};
  gmtime_r(&now, &utc);
  char date[64];
  std::strftime(date, sizeof date, "%a, %d %b %Y %H:%M:%S GMT", &utc);
  const std::string device = std::string(name(settings.technique.device)) + " (" +
                             availability(settings.technique.device).reason + "), OpenGL on " +
                             reinterpret_cast<const char*>(glGetString(GL_RENDERER));
  return {{"Software", "satdof " SATDOF_VERSION},
          {"Creation Time", date},
          {"Source", device},
          {kSettingsKeyword, settingsToJson(settings)}};
}

template <class T>
std::string presentPng(Renderer& renderer, const Settings& settings, float timeS, Timings& timings,
                       const CaptureOptions& options) {
  constexpr bool deep = sizeof(T) == 2;
  const gl::Texture target(deep ? GL_RGBA16 : GL_RGBA8, settings.size);
  const gl::Framebuffer framebuffer(target);
  renderer.present(framebuffer.name(), settings.size, settings, timings);
  if (options.drawOver) options.drawOver(framebuffer.name(), settings.size);
  const auto rgb = gl::readRgb<T>(target, deep ? GL_UNSIGNED_SHORT : GL_UNSIGNED_BYTE);
  return encodePng(rgb.data(), settings.size, options.bitDepth, textsOf(frozen(settings, timeS)));
}

}  // namespace

void capture(Renderer& renderer, const Settings& settings, float timeS, const std::filesystem::path& path,
             const CaptureOptions& options) try {
  const ImageFormat format = imageFormat(path);
  Timings timings;
  Settings drawn = settings;
  drawn.size = options.size == glm::ivec2(0) ? renderer.image().size() : options.size;
  if (drawn.size != renderer.image().size()) {
    requireRoom(drawn);
    drawn.lens.autofocus = false;
    while (renderer.render(drawn, {.timeS = timeS, .focusAt = {}}, timings).progress < 1.0f) {
    }
  } else if (options.progress < 1.0f) {
    const auto samples = static_cast<float>(drawn.lens.lensSamples);
    drawn.lens.lensSamples = std::max(1, static_cast<int>(std::lround(options.progress * samples)));
  }
  std::string bytes;
  if (format != ImageFormat::png)
    bytes = encodeLinear(format, gl::readRgb<float>(renderer.image(), GL_FLOAT), drawn.size);
  else if (options.bitDepth == 16)
    bytes = presentPng<std::uint16_t>(renderer, drawn, timeS, timings, options);
  else
    bytes = presentPng<std::uint8_t>(renderer, drawn, timeS, timings, options);
  requireGlSuccess();
  writeWholeFile(path, bytes);
} catch (...) {
  std::error_code missing;  // a claimed name is given back
  if (std::filesystem::is_regular_file(path, missing) && std::filesystem::is_empty(path, missing))
    std::filesystem::remove(path, missing);
  throw;
}

}  // namespace satdof
