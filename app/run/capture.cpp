#include "app/run/capture.h"

#include <cstdint>

#include "app/core/files.h"
#include "app/core/settings_json.h"
#include "app/gl/transfer.h"
#include "app/io/png.h"
#include "app/run/limits.h"

namespace satdof {

namespace {

// Settings that draw the same image again: fixed time, fixed focus.
Settings frozen(Settings settings, float timeS) {
  settings.scene.timeS = timeS;
  settings.lens.autofocus = false;
  return settings;
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
  return encodePng(rgb.data(), settings.size, options.bitDepth, kSettingsKeyword,
                   settingsToJson(frozen(settings, timeS)));
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
  }
  if (format != ImageFormat::png)
    writeWholeFile(path, encodeLinear(format, gl::readRgb<float>(renderer.image(), GL_FLOAT), drawn.size));
  else if (options.bitDepth == 16)
    writeWholeFile(path, presentPng<std::uint16_t>(renderer, drawn, timeS, timings, options));
  else
    writeWholeFile(path, presentPng<std::uint8_t>(renderer, drawn, timeS, timings, options));
} catch (...) {
  std::error_code missing;  // a claimed name is given back
  if (std::filesystem::is_regular_file(path, missing) && std::filesystem::is_empty(path, missing))
    std::filesystem::remove(path, missing);
  throw;
}

}  // namespace satdof
