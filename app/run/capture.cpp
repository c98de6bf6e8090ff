#include "app/run/capture.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <ctime>
#include <limits>
#include <utility>

#include "app/core/files.h"
#include "app/core/settings_json.h"
#include "app/device/device.h"
#include "app/gl/software.h"
#include "app/gl/transfer.h"
#include "app/io/exr.h"
#include "app/io/png.h"
#include "app/lens/lens.h"
#include "app/render/overscan.h"
#include "app/run/limits.h"
#include "app/scene/registry.h"
#include "app/scene/targets.h"
#include "app/views/views.h"

namespace satdof {

namespace {

// Settings that draw the same image again, on another machine, too: fixed time and focus, nothing automatic.
Settings frozen(Settings settings, float timeS) {
  settings.scene.timeS = timeS;
  settings.scene.samples = offeredSamples(settings.scene.samples);
  settings.lens.autofocus = false;
  settings.lens.overscan = resolve(settings.lens.overscan);
  settings.technique = resolve(settings.technique);
  settings.split.b = resolve(settings.split.b);
  return settings;
}

std::vector<ImageText> textsOf(const Settings& settings, bool dated) {
  const std::string device = std::string(name(settings.technique.device)) + " (" +
                             availability(settings.technique.device).reason + "), OpenGL on " +
                             gl::driverText(GL_RENDERER);
  std::vector<ImageText> texts{{"Software", "satdof " SATDOF_VERSION},
                               {"Source", device},
                               {kSettingsKeyword, settingsToJson(settings)}};
  if (!dated) return texts;
  const std::time_t now = std::time(nullptr);
  std::tm utc{};
  gmtime_r(&now, &utc);
  char date[64];
  std::strftime(date, sizeof date, "%a, %d %b %Y %H:%M:%S GMT", &utc);
  texts.push_back({"Creation Time", date});
  return texts;
}

// What the files say beside the pixels.
struct Metadata {
  std::vector<ImageText> texts;
  std::string exif;  // of a photograph; empty: none
};

Metadata metadataOf(const Settings& settings, bool dated) {
  Metadata metadata{textsOf(settings, dated), {}};
  const SceneRow& row = sceneRow(settings.scene.kind);
  if (row.photographFacts == nullptr) return metadata;
  PhotographFacts facts = row.photographFacts(settings.scene);
  metadata.texts.insert(metadata.texts.end(), facts.texts.begin(), facts.texts.end());
  metadata.exif = std::move(facts.exif);
  return metadata;
}

template <class T>
std::string presentPng(Renderer& renderer, const Settings& settings, const Metadata& metadata,
                       Timings& timings, const CaptureOptions& options) {
  constexpr bool deep = sizeof(T) == 2;
  const gl::Texture target(deep ? GL_RGBA16 : GL_RGBA8, settings.size);
  const gl::Framebuffer framebuffer(target);
  renderer.present(framebuffer.name(), settings.size, settings, timings);
  if (options.drawOver) options.drawOver(framebuffer.name(), settings.size);
  const auto rgb = gl::readRgb<T>(target, deep ? GL_UNSIGNED_SHORT : GL_UNSIGNED_BYTE);
  return encodePng(rgb.data(), settings.size, deep ? 16 : 8, metadata.texts, 3, metadata.exif);
}

// One channel of a texture, such as GL_GREEN.
std::vector<float> channelOf(const gl::Texture& texture, GLenum channel) {
  std::vector<float> values(static_cast<size_t>(texture.size().x) * static_cast<size_t>(texture.size().y));
  gl::download(texture, {channel, GL_FLOAT, sizeof(float)}, values.data());
  return values;
}

LayerImage layerOf(Renderer& renderer, const Settings& settings, Layer layer) {
  const SceneFrame scene = renderer.scene();
  LayerImage image{.size = scene.size, .nearM = scene.nearM, .planes = {}};
  if (layer == Layer::colour) {
    for (const GLenum channel : {GL_RED, GL_GREEN, GL_BLUE, GL_ALPHA})
      image.planes.push_back(channelOf(*scene.colour, channel));
    return image;
  }
  image.planes.push_back(channelOf(*scene.depth, GL_RED));
  if (layer == Layer::coc) {
    const BlurRule& rule = *lensOf(settings.technique.lens.kind).rule;
    const BlurValues values = rule.values(settings.lens, scene);
    for (float& value : image.planes[0]) value = signedRadiusPx(rule, values, value);
  }
  return image;
}

std::string exrOf(Renderer& renderer, const Settings& settings, const std::vector<ImageText>& texts,
                  int bitDepth) {
  const bool half = bitDepth != 32;
  const gl::Texture& finished = renderer.image();
  ExrImage image{.size = finished.size(), .channels = {}, .texts = texts};
  image.channels = {{"R", half, channelOf(finished, GL_RED)},
                    {"G", half, channelOf(finished, GL_GREEN)},
                    {"B", half, channelOf(finished, GL_BLUE)}};
  image.channels.push_back({"A", half, std::vector<float>(image.channels[0].values.size(), 1.0f)});
  LayerImage depth = layerOf(renderer, settings, Layer::depth);
  for (float& value : depth.planes[0])
    value = value > 0.0f ? depth.nearM / value : std::numeric_limits<float>::infinity();
  image.channels.push_back({"Z", false, std::move(depth.planes[0])});
  image.channels.push_back({"coc.Y", half, std::move(layerOf(renderer, settings, Layer::coc).planes[0])});
  if (lensOf(settings.technique.lens.kind).layers && viewOf(settings.technique.view).filtered) {
    auto uncovered = channelOf(finished, GL_ALPHA);
    for (float& value : uncovered) value = 1.0f - value;
    image.channels.push_back({"near.Y", half, std::move(uncovered)});
  }
  return encodeExr(image);
}

std::string encoded(Renderer& renderer, const Settings& settings, ImageFormat format,
                    const Metadata& metadata, Timings& timings, const CaptureOptions& options) {
  if (format == ImageFormat::exr) return exrOf(renderer, settings, metadata.texts, options.bitDepth);
  if (format != ImageFormat::png)
    return encodeLinear(format, gl::readRgb<float>(renderer.image(), GL_FLOAT), settings.size,
                        metadata.texts);
  return options.bitDepth == 16 ? presentPng<std::uint16_t>(renderer, settings, metadata, timings, options)
                                : presentPng<std::uint8_t>(renderer, settings, metadata, timings, options);
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
  const Metadata metadata = metadataOf(frozen(drawn, timeS), options.dated);
  for (const Layer layer : options.layers)
    writeWholeFile(layerPath(path, layer),
                   encodeLayer(layer, format, layerOf(renderer, drawn, layer), metadata.texts));
  const std::string bytes = encoded(renderer, drawn, format, metadata, timings, options);
  requireGlSuccess();
  writeWholeFile(path, bytes);
} catch (...) {
  std::error_code missing;  // a claimed name is given back
  if (std::filesystem::is_regular_file(path, missing) && std::filesystem::is_empty(path, missing))
    std::filesystem::remove(path, missing);
  throw;
}

}  // namespace satdof
