#include "app/run/capture.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <numeric>
#include <stdexcept>
#include <utility>

#include "app/core/files/file_names.h"
#include "app/core/files/file_timeout.h"
#include "app/core/files/files.h"
#include "app/core/pixels.h"
#include "app/core/system/inquiry.h"
#include "app/gl/software.h"
#include "app/gl/transfer.h"
#include "app/io/codec.h"
#include "app/lens/lens.h"
#include "app/render/resolve.h"
#include "app/run/capture_texts.h"
#include "app/run/limits.h"
#include "app/run/tiles.h"
#include "app/scene/registry.h"
#include "app/views/views.h"

namespace satdof {

namespace {

// Settings whose image is 1 - alpha: black surfaces before a white background. Exact for all steps that are linear
// in the light, which bokeh sprites are not.
Settings matteOf(Settings settings) {
  settings.scene.background = Background::matte;
  settings.technique.bokeh.enabled = false;
  return settings;
}

// 1 - light of the matte that the renderer has drawn, mean of the channels.
std::vector<float> alphaOf(Renderer& renderer) {
  const std::vector<float> light = gl::readRgb<float>(renderer.image(), GL_FLOAT);
  std::vector<float> alpha(light.size() / 3);
  for (std::size_t i = 0; i < alpha.size(); ++i)
    alpha[i] = std::clamp(1.0f - (light[3 * i] + light[3 * i + 1] + light[3 * i + 2]) / 3.0f, 0.0f, 1.0f);
  return alpha;
}

// Raises alpha to the exposed light of each pixel: a file stores light / alpha, which is at most 1. Light of bokeh
// sprites lies where alpha is 0.
void coverLight(std::vector<float>& alpha, Renderer& renderer, const Settings& settings) {
  const std::vector<float> light = gl::readRgb<float>(renderer.image(), GL_FLOAT);
  const float exposure = std::exp2(settings.present.exposureStops);
  for (std::size_t i = 0; i < alpha.size(); ++i)
    for (std::size_t c = 0; c < 3; ++c) alpha[i] = std::max(alpha[i], std::min(exposure * light[3 * i + c], 1.0f));
}

// The image as displayed, with 8 or 16 bits. `alpha` divides the light; empty: opaque.
template <class T>
std::vector<T> presented(Renderer& renderer, const Settings& settings, const std::vector<float>& alpha,
                         Timings& timings, const CaptureOptions& options) {
  constexpr bool deep = sizeof(T) == 2;
  const glm::ivec2 size = renderer.image().size();
  const gl::Texture target(deep ? GL_RGBA16 : GL_RGBA8, size);
  const gl::Framebuffer framebuffer(target);
  const gl::Texture opacity(GL_R32F, alpha.empty() ? glm::ivec2(1) : size);
  if (!alpha.empty()) gl::upload(opacity, gl::kRedFloat, alpha.data());
  renderer.present(framebuffer.name(), size, settings, timings, {}, alpha.empty() ? nullptr : &opacity);
  if (options.drawOver) options.drawOver(framebuffer.name(), size);
  return gl::readRgb<T>(target, deep ? GL_UNSIGNED_SHORT : GL_UNSIGNED_BYTE);
}

// One channel of a texture, such as GL_GREEN.
std::vector<float> channelOf(const gl::Texture& texture, GLenum channel) {
  std::vector<float> values(pixelCount(texture.size()));
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
    const RadiusRule values = rule.values(settings.lens, scene);
    for (float& value : image.planes[0]) value = glsl::radiusOf(values, value);
  }
  return image;
}

bool hasNearCoverage(const Technique& technique) {
  return lensOf(technique.lens.kind).layers && viewOf(technique.view).filtered;
}

std::vector<std::vector<float>> channelsOf(Renderer& renderer, const Settings& settings, std::vector<float> alpha) {
  const gl::Texture& finished = renderer.image();
  std::vector<std::vector<float>> values;
  for (const GLenum channel : {GL_RED, GL_GREEN, GL_BLUE}) values.push_back(channelOf(finished, channel));
  alpha.resize(values[0].size(), 1.0f);
  values.push_back(std::move(alpha));
  LayerImage depth = layerOf(renderer, settings, Layer::depth);
  for (float& value : depth.planes[0])
    value = value > 0.0f ? depth.nearM / value : std::numeric_limits<float>::infinity();
  values.push_back(std::move(depth.planes[0]));
  values.push_back(std::move(layerOf(renderer, settings, Layer::coc).planes[0]));
  if (hasNearCoverage(settings.technique)) {
    values.push_back(channelOf(finished, GL_ALPHA));
    for (float& value : values.back()) value = 1.0f - value;
  }
  return values;
}

// What a file needs of the drawn image.
struct Wanted {
  Content content = Content::displayed;
  bool deep = false;  // 16 bits, if displayed
  bool alpha = false;
};

Wanted wantedFor(const Codec& codec, const Settings& settings, const CaptureOptions& options) {
  const int bits = options.bitDepth;
  const Content content = codec.contentOf(bits);
  const bool deep = bits == 16 && std::ranges::find(codec.choices, bits, &CaptureChoice::bits) != codec.choices.end();
  return {content, content == Content::displayed && deep, codec.alpha && isTransparent(settings) && !options.drawOver};
}

// Reads the image that the renderer has drawn.
Pixels pixelsOf(Renderer& renderer, const Settings& settings, Wanted wanted, std::vector<float> alpha, Timings& timings,
                const CaptureOptions& options) {
  Pixels pixels;
  pixels.size = renderer.image().size();
  for (const Layer layer : options.layers) pixels.layers.push_back(layerOf(renderer, settings, layer));
  switch (wanted.content) {
    case Content::channels:
      pixels.channels = channelsOf(renderer, settings, std::move(alpha));
      break;
    case Content::light:
      pixels.light = gl::readRgb<float>(renderer.image(), GL_FLOAT);
      break;
    case Content::displayed:
      if (!alpha.empty()) coverLight(alpha, renderer, settings);
      if (wanted.deep)
        pixels.rgb16 = presented<std::uint16_t>(renderer, settings, alpha, timings, options);
      else
        pixels.rgb8 = presented<std::uint8_t>(renderer, settings, alpha, timings, options);
      pixels.alpha = std::move(alpha);
  }
  return pixels;
}

// Bytes a pixel in main memory: what pixelsOf() reads, twice, because the encoded file takes as much.
double fileBytes(Wanted wanted, const CaptureOptions& options) {
  double bytes = wanted.content == Content::channels ? 28.0
                 : wanted.content == Content::light  ? 12.0
                 : wanted.deep                       ? 6.0
                                                     : 3.0;
  if (wanted.alpha) bytes += 4.0;
  for (const Layer layer : options.layers) bytes += layer == Layer::colour ? 16.0 : 4.0;
  return 2.0 * bytes;
}

// A rectangle of a tile, and where it goes in the image.
struct Place {
  glm::ivec2 inTile, inImage, size;
};

template <class T>
void paste(std::vector<T>& to, glm::ivec2 toSize, const std::vector<T>& from, glm::ivec2 fromSize, const Place& place) {
  if (from.empty()) return;
  const std::size_t channels = from.size() / pixelCount(fromSize);
  to.resize(channels * pixelCount(toSize));
  const auto at = [&](glm::ivec2 size, glm::ivec2 p) {
    return static_cast<std::ptrdiff_t>(channels * pixelIndex(size, p));
  };
  for (int y = 0; y < place.size.y; ++y)
    std::copy_n(from.begin() + at(fromSize, place.inTile + glm::ivec2(0, y)),
                channels * static_cast<std::size_t>(place.size.x),
                to.begin() + at(toSize, place.inImage + glm::ivec2(0, y)));
}

void paste(std::vector<std::vector<float>>& to, glm::ivec2 toSize, const std::vector<std::vector<float>>& from,
           glm::ivec2 fromSize, const Place& place) {
  to.resize(from.size());
  for (std::size_t i = 0; i < from.size(); ++i) paste(to[i], toSize, from[i], fromSize, place);
}

void paste(Pixels& to, const Pixels& from, const Place& place) {
  paste(to.rgb8, to.size, from.rgb8, from.size, place);
  paste(to.rgb16, to.size, from.rgb16, from.size, place);
  paste(to.alpha, to.size, from.alpha, from.size, place);
  paste(to.light, to.size, from.light, from.size, place);
  paste(to.channels, to.size, from.channels, from.size, place);
  to.layers.resize(from.layers.size());
  for (std::size_t i = 0; i < from.layers.size(); ++i) {
    to.layers[i].size = to.size;
    to.layers[i].nearM = from.layers[i].nearM;
    paste(to.layers[i].planes, to.size, from.layers[i].planes, from.size, place);
  }
}

// Draws until the image is refined. Reports progress from `from` to `to`.
void drawUntilDone(Renderer& renderer, const Settings& settings, const FrameRequest& request, Timings& timings,
                   const CaptureOptions& options, float from, float to) {
  float done = 0.0f;
  const auto tell = [&](float next) {
    if (options.progressed) options.progressed(std::lerp(from, to, done), std::lerp(from, to, next));
  };
  tell(1.0f);
  while ((done = renderer.render(settings, request, timings).progress) < 1.0f) tell(done);
}

// Draws the image, or the mean of options.moments, or its matte. Reports progress from `from` to `to`.
void drawImage(Renderer& renderer, const Settings& settings, const FrameRequest& request, bool matte, Timings& timings,
               const CaptureOptions& options, float from, float to) {
  const auto wanted = [&](const Settings& of) { return matte ? matteOf(of) : of; };
  if (options.moments.empty()) return drawUntilDone(renderer, wanted(settings), request, timings, options, from, to);
  std::vector<float> sum(4 * pixelCount(settings.size)), image(sum.size());
  const auto count = static_cast<float>(options.moments.size());
  float done = 0.0f;
  for (const Moment& moment : options.moments) {
    Settings ofMoment = wanted(moment.settings);
    ofMoment.size = settings.size;
    FrameRequest atMoment = request;
    atMoment.timeS = moment.timeS;
    drawUntilDone(renderer, ofMoment, atMoment, timings, options, std::lerp(from, to, done / count),
                  std::lerp(from, to, (done + 1.0f) / count));
    ++done;
    gl::download(renderer.image(), gl::kRgbaFloat, image.data());
    std::ranges::transform(sum, image, sum.begin(), std::plus());
  }
  for (float& value : sum) value /= count;
  renderer.replaceImage(sum);
}

// Draws an image and reads it. A transparent one needs its matte before.
Pixels drawnPixels(Renderer& renderer, const Settings& settings, const FrameRequest& request, Wanted wanted,
                   Timings& timings, const CaptureOptions& options, float from = 0.0f, float to = 1.0f) {
  std::vector<float> alpha;
  if (wanted.alpha) {
    const float middle = std::midpoint(from, to);
    drawImage(renderer, settings, request, true, timings, options, from, middle);
    alpha = alphaOf(renderer);
    from = middle;
  }
  drawImage(renderer, settings, request, false, timings, options, from, to);
  return pixelsOf(renderer, settings, wanted, std::move(alpha), timings, options);
}

Pixels drawnInTiles(Renderer& renderer, const Settings& settings, const TilePlan& plan, float timeS, Wanted wanted,
                    Timings& timings, const CaptureOptions& options) {
  Pixels joined;
  joined.size = settings.size;
  long done = 0;
  glm::ivec2 last(0);
  for (const Tile& tile : plan.tiles) {
    if (std::exchange(last, tile.drawn.size) != tile.drawn.size) renderer.freeImages();
    const PartRequest part{tile.drawn, plan.nearestM};
    const auto tiles = static_cast<float>(plan.tiles.size()), first = static_cast<float>(done);
    paste(joined,
          drawnPixels(renderer, plan.settings, {.timeS = timeS, .focusAt = {}, .part = part}, wanted, timings, options,
                      first / tiles, (first + 1.0f) / tiles),
          {tile.shown.from - tile.drawn.from, tile.shown.from - plan.cornerPx, tile.shown.size});
    requireGlSuccess();
    if (options.tileDone) options.tileDone(++done, std::ssize(plan.tiles));
  }
  return joined;
}

// Encodes the pixels. With options.progressed, on another thread, which goes on unattended if options.progressed
// throws.
std::string encoded(Pixels pixels, const Codec& codec, const Metadata& metadata, const CaptureOptions& options) {
  constexpr std::chrono::milliseconds kPeriod(50);
  const auto write = [pixels = std::make_shared<Pixels>(std::move(pixels)), &codec, metadata, bits = options.bitDepth,
                      quality = options.quality] {
    return codec.write(*pixels, metadata, {bits, quality});
  };
  if (!options.progressed) return write();
  Inquiry<std::string> encoding;
  encoding.ask("", write);
  for (;;) {
    if (auto bytes = encoding.take(kPeriod)) return *std::move(bytes);
    options.progressed(1.0f, 1.0f);
  }
}

struct Drawn {
  Settings settings;  // of the pixels
  Pixels pixels;
};

// Reads the renderer's image, or renders it again with the size, motion blur or alpha that the file needs.
Drawn draw(Renderer& renderer, const Settings& settings, float timeS, Wanted wanted, const CaptureOptions& options) {
  Timings timings;
  Settings drawn = settings;
  drawn.size = options.size == glm::ivec2(0) ? renderer.image().size() : options.size;
  const bool isMean = !options.moments.empty();
  if (options.redraw || isMean || wanted.alpha || drawn.size != renderer.image().size()) {
    drawn.lens.autofocus = false;
    const double freeBytes = options.memoryBytes.value_or(freeImageBytes());
    if (const std::string lacking = shortage(drawn, freeBytes); !lacking.empty()) {
      if (isMean || !canTile(drawn)) throw std::runtime_error(lacking);
      // Software OpenGL and the limit of --memory count tiles and joined pixels together; a GPU holds only the tiles.
      const bool oneMemory = options.memoryBytes || gl::isSoftwareRenderer();
      const double perPixel = fileBytes(wanted, options);
      if (!oneMemory) requireMainMemory(drawn.size, perPixel);
      const SceneFacts facts = renderer.scene();
      renderer.freeImages();
      // By now, scene and driver hold what they need for any image.
      const TilePlan plan = planTiles(ResolvedSettings(drawn), facts, renderer.overscanDivisor(),
                                      std::min(freeBytes, freeImageBytes()), oneMemory ? perPixel : 0.0);
      return {drawn, drawnInTiles(renderer, drawn, plan, timeS, wanted, timings, options)};
    }
    return {drawn, drawnPixels(renderer, drawn, {.timeS = timeS, .focusAt = {}, .centre = options.centre}, wanted,
                               timings, options)};
  }
  if (options.progress < 1.0f) {
    const auto samples = static_cast<float>(drawn.lens.lensSamples);
    drawn.lens.lensSamples = std::max(1, static_cast<int>(std::lround(options.progress * samples)));
  }
  return {drawn, pixelsOf(renderer, drawn, wanted, {}, timings, options)};
}

// Writes a new file with the first number that neither an image nor one of its layers has.
std::filesystem::path writeNew(const std::filesystem::path& path, std::string_view bytes,
                               const std::vector<Layer>& layers) {
  return writeNewFile(folderOf(path), bytes, [layers, next = numberedNames(path)] {
    for (;;) {
      std::filesystem::path name = next();
      const auto isTaken = [&](Layer layer) { return isThere(layerPath(name, layer)); };
      if (std::ranges::none_of(layers, isTaken)) return name;
    }
  });
}

}  // namespace

bool isTransparent(const Settings& settings) {
  const bool clear =
      settings.scene.background == Background::transparent && sceneRow(settings.scene.kind).capabilities.background;
  const ViewRow& view = viewOf(settings.technique.view);
  return clear && !settings.split.enabled && view.toneMapped && view.comparable;
}

bool mayBeTransparent(const Settings& settings, const Shot* shot) {
  const auto times = shot == nullptr ? std::vector<double>() : keyTimes(*shot);
  return isTransparent(settings) ||
         std::ranges::any_of(times, [&](double timeS) { return isTransparent(settingsAt(*shot, settings, timeS)); });
}

std::vector<unsigned char> captureRgb(Renderer& renderer, const Settings& settings, float timeS, CaptureOptions options,
                                      bool alpha) {
  options.bitDepth = 8;
  options.layers.clear();
  const bool transparent = alpha && isTransparent(settings) && !options.drawOver;
  Pixels pixels = std::move(draw(renderer, settings, timeS, {.alpha = transparent}, options).pixels);
  requireGlSuccess();
  if (!alpha) return std::move(pixels.rgb8);
  std::vector<unsigned char> rgba(pixels.rgb8.size() / 3 * 4, 255);
  for (std::size_t i = 0; i < rgba.size() / 4; ++i) {
    std::copy_n(&pixels.rgb8[3 * i], 3, &rgba[4 * i]);
    if (transparent) rgba[4 * i + 3] = static_cast<unsigned char>(std::lround(255.0f * pixels.alpha[i]));
  }
  return rgba;
}

std::filesystem::path capture(Renderer& renderer, const Settings& settings, float timeS,
                              const std::filesystem::path& path, const CaptureOptions& options) {
  const Codec& codec = writerOf(path);
  Drawn drawn = draw(renderer, settings, timeS, wantedFor(codec, settings, options), options);
  Metadata metadata = metadataOf(drawn.settings, timeS, path, options);
  const std::vector<LayerImage> layers = std::move(drawn.pixels.layers);
  std::vector<std::string> layerBytes;
  for (std::size_t i = 0; i < layers.size(); ++i)
    layerBytes.push_back(codec.layer(options.layers[i], layers[i], metadata.texts));
  addHashes(metadata.texts, layerBytes, !options.dated && !codec.hasChecksums);
  std::string bytes = withHash(encoded(std::move(drawn.pixels), codec, metadata, options));
  requireGlSuccess();
  auto store = [path, bytes = std::move(bytes), layerBytes = std::move(layerBytes), layers = options.layers,
                numbered = options.numbered] {
    // A new image comes first: its number names the layers. An image that is replaced comes last: it marks the layers
    // as complete.
    std::filesystem::path written = numbered ? writeNew(path, bytes, layers) : path;
    for (std::size_t i = 0; i < layers.size(); ++i) writeWholeFile(layerPath(written, layers[i]), layerBytes[i]);
    if (!numbered) writeWholeFile(path, bytes);
    return written;
  };
  return writeWithTimeout(path, std::move(store)).value_or(path);
}

}  // namespace satdof
