#include "app/run/capture.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <ctime>
#include <limits>
#include <memory>
#include <numeric>
#include <stdexcept>
#include <system_error>
#include <utility>

#include "app/core/fields.h"
#include "app/core/files/cache.h"
#include "app/core/files/file_names.h"
#include "app/core/files/file_timeout.h"
#include "app/core/files/files.h"
#include "app/core/pixels.h"
#include "app/core/settings_json.h"
#include "app/core/system/inquiry.h"
#include "app/core/text/foreign_text.h"
#include "app/device/device.h"
#include "app/gl/software.h"
#include "app/gl/transfer.h"
#include "app/io/codec.h"
#include "app/io/damage.h"
#include "app/io/settings_file.h"
#include "app/lens/lens.h"
#include "app/render/resolve.h"
#include "app/run/inputs.h"
#include "app/run/limits.h"
#include "app/run/tiles.h"
#include "app/scene/registry.h"
#include "app/scene/targets.h"
#include "app/views/views.h"

namespace satdof {

namespace {

constexpr const char* kLayersKeyword = "Layers";  // hashesOf() the files beside the image

constexpr const char* kContentKeyword = "Content";  // hash of the file in which kUnhashed is in place of the hash
constexpr std::string_view kUnhashed = "satdof:hash-of-the-whole-file---";

// Returns the file with its hash.
std::string withHash(std::string bytes) {
  if (const auto at = bytes.find(kUnhashed); at != bytes.npos) bytes.replace(at, kUnhashed.size(), hashed(bytes));
  return bytes;
}

// Whether the file has the bytes that withHash() returned; true for a file without a hash.
bool hasItsHash(std::string bytes) {
  const auto hash = imageText(bytes, kContentKeyword);
  if (!hash) return true;
  const auto at = bytes.find(*hash);
  return at != bytes.npos && hashed(bytes.replace(at, hash->size(), kUnhashed)) == *hash;
}

// Returns settings that draw the same image on any machine: fixed time and focus, nothing automatic.
Settings frozen(Settings settings, float timeS) {
  settings.scene.timeS = timeS;
  settings.scene.samples = offeredSamples(settings.scene.samples);
  settings.lens.layers = std::max(settings.lens.layers, 1);
  settings.lens.autofocus = false;
  if (FilePath& depth = settings.scene.image.depth; isCached(depth.text, "depth")) depth = {};
  return resolved(settings);
}

// The texts of the file. `named`: frozen settings with the paths of files as the file names them.
std::vector<ImageText> textsOf(const Settings& named, const Settings& settings, const CaptureOptions& options) {
  const std::string device = std::string(name(named.technique.device)) + " (" +
                             availability(named.technique.device).reason + "), OpenGL on " +
                             gl::driverText(GL_RENDERER);
  std::vector<ImageText> texts{
      {"Software", "satdof " SATDOF_VERSION}, {"Source", device}, {kSettingsKeyword, settingsToJson(named)}};
  texts.insert(texts.end(), options.texts.begin(), options.texts.end());
  if (!options.dated) {  // frames of sequences: holdsCapture() compares this text, too
    texts.push_back({"Frame", std::to_string(options.bitDepth) + " bits, quality " + std::to_string(options.quality) +
                                  ", metadata " + name(options.keep) + ", moments " +
                                  std::to_string(options.moments.size()) + ", inputs " +
                                  (options.inputs.empty() ? InputHashes().of(settings) : options.inputs)});
    return texts;
  }
  const std::time_t now = std::time(nullptr);
  const std::tm utc = *std::gmtime(&now);  // captures are made on one thread
  char date[64];
  std::strftime(date, sizeof date, "%a, %d %b %Y %H:%M:%S GMT", &utc);
  texts.push_back({"Creation Time", date});
  return texts;
}

Metadata metadataOf(const Settings& named, const Settings& settings, const CaptureOptions& options) {
  Metadata metadata{textsOf(named, settings, options), {}};
  const SceneRow& row = sceneRow(settings.scene.kind);
  if (row.photographFacts == nullptr) return metadata;
  PhotographFacts facts = row.photographFacts(settings.scene, options.keep);
  metadata.texts.insert(metadata.texts.end(), facts.texts.begin(), facts.texts.end());
  metadata.exif = std::move(facts.exif);
  return metadata;
}

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
                   const CaptureOptions& options, float from = 0.0f, float to = 1.0f) {
  float done = 0.0f;
  const auto tell = [&](float next) {
    if (options.progressed) options.progressed(std::lerp(from, to, done), std::lerp(from, to, next));
  };
  tell(1.0f);
  while ((done = renderer.render(settings, request, timings).progress) < 1.0f) tell(done);
}

// Draws options.moments, or their mattes, and replaces the renderer's image by their mean.
void drawMean(Renderer& renderer, glm::ivec2 size, bool mattes, Timings& timings, const CaptureOptions& options) {
  std::vector<float> sum(4 * pixelCount(size)), image(sum.size());
  const auto count = static_cast<float>(options.moments.size());
  float done = 0.0f;
  for (const Moment& moment : options.moments) {
    Settings settings = mattes ? matteOf(moment.settings) : moment.settings;
    settings.size = size;
    drawUntilDone(renderer, settings, {.timeS = moment.timeS, .focusAt = {}, .centre = options.centre}, timings,
                  options, done / count, (done + 1.0f) / count);
    ++done;
    gl::download(renderer.image(), gl::kRgbaFloat, image.data());
    std::ranges::transform(sum, image, sum.begin(), std::plus());
  }
  for (float& value : sum) value /= count;
  renderer.replaceImage(sum);
}

Pixels meanPixels(Renderer& renderer, const Settings& settings, Wanted wanted, Timings& timings,
                  const CaptureOptions& options) {
  std::vector<float> alpha;
  if (wanted.alpha) {
    drawMean(renderer, settings.size, true, timings, options);
    alpha = alphaOf(renderer);
  }
  drawMean(renderer, settings.size, false, timings, options);
  return pixelsOf(renderer, settings, wanted, std::move(alpha), timings, options);
}

// Draws an image and reads it. A transparent one needs its matte before.
Pixels drawnPixels(Renderer& renderer, const Settings& settings, const FrameRequest& request, Wanted wanted,
                   Timings& timings, const CaptureOptions& options, float from = 0.0f, float to = 1.0f) {
  std::vector<float> alpha;
  if (wanted.alpha) {
    const float middle = std::midpoint(from, to);
    drawUntilDone(renderer, matteOf(settings), request, timings, options, from, middle);
    alpha = alphaOf(renderer);
    from = middle;
  }
  drawUntilDone(renderer, settings, request, timings, options, from, to);
  return pixelsOf(renderer, settings, wanted, std::move(alpha), timings, options);
}

Pixels drawnInTiles(Renderer& renderer, const Settings& settings, const TilePlan& plan, float timeS, Wanted wanted,
                    Timings& timings, const CaptureOptions& options) {
  Pixels joined;
  joined.size = settings.size;
  long done = 0;
  for (const Tile& tile : plan.tiles) {
    const PartRequest part{tile.drawnFrom, tile.drawnSize(), plan.nearestM};
    const auto tiles = static_cast<float>(plan.tiles.size()), first = static_cast<float>(done);
    paste(joined,
          drawnPixels(renderer, plan.settings, {.timeS = timeS, .focusAt = {}, .part = part}, wanted, timings, options,
                      first / tiles, (first + 1.0f) / tiles),
          {tile.from - tile.drawnFrom, tile.from - plan.cornerPx, tile.to - tile.from});
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
      const TilePlan plan = planTiles(resolved(drawn), renderer.scene(), renderer.overscanDivisor(), freeBytes,
                                      oneMemory ? perPixel : 0.0);
      return {drawn, drawnInTiles(renderer, drawn, plan, timeS, wanted, timings, options)};
    }
    if (isMean) return {drawn, meanPixels(renderer, drawn, wanted, timings, options)};
    return {drawn, drawnPixels(renderer, drawn, {.timeS = timeS, .focusAt = {}, .centre = options.centre}, wanted,
                               timings, options)};
  }
  if (options.progress < 1.0f) {
    const auto samples = static_cast<float>(drawn.lens.lensSamples);
    drawn.lens.lensSamples = std::max(1, static_cast<int>(std::lround(options.progress * samples)));
  }
  return {drawn, pixelsOf(renderer, drawn, wanted, {}, timings, options)};
}

// The hashes of encoded layers.
std::string hashesOf(const std::vector<std::string>& layers) {
  std::string state;
  for (const std::string& bytes : layers) state += (state.empty() ? "" : " ") + hashed(bytes);
  return state;
}

// Whether an input file was written after `path`. Files in the cache do not count: their time is the time of
// their last use, and their names are hashes of their contents.
bool hasNewerInputs(const Settings& settings, const std::filesystem::path& path) {
  const auto timeOf = [](const std::filesystem::path& of) {
    return readWithTimeout(of, [of] {
      std::error_code unknown;  // that is long ago
      return std::filesystem::last_write_time(of, unknown);
    });
  };
  return std::ranges::any_of(inputsOf(settings), [&, written = timeOf(path)](const std::filesystem::path& file) {
    return cacheEntry(file).empty() && timeOf(file) > written;
  });
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

bool holdsCapture(const std::filesystem::path& path, const Settings& settings, float timeS,
                  const CaptureOptions& options) {
  try {
    const std::string bytes = readWholeFile(path, FileLimits().bytes);
    const Picture picture = decodePicture(bytes);
    if (lacksPixels(picture.notes) || picture.size != settings.size || hasNewerInputs(settings, path)) return false;
    std::vector<std::string> layers;
    for (const Layer layer : options.layers)
      layers.push_back(readWholeFile(layerPath(path, layer), FileLimits().bytes));
    if (!layers.empty() && imageText(bytes, kLayersKeyword) != hashesOf(layers)) return false;
    if (!hasItsHash(bytes)) return false;
    const auto texts = textsOf(withoutUserPaths(frozen(settings, timeS), folderOf(path)), settings, options);
    // Some formats replace line ends.
    const auto inOneLine = [](std::string text) {
      std::ranges::replace(text, '\n', ' ');
      return text;
    };
    return std::ranges::all_of(texts, [&](const ImageText& text) {
      const auto found = imageText(bytes, text.keyword);
      return found && inOneLine(*found) == inOneLine(text.text);
    });
  } catch (const std::runtime_error&) {
    return false;
  }
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
  Metadata metadata =
      metadataOf(withoutUserPaths(frozen(drawn.settings, timeS), folderOf(path)), drawn.settings, options);
  const std::vector<LayerImage> layers = std::move(drawn.pixels.layers);
  std::vector<std::string> layerBytes;
  for (std::size_t i = 0; i < layers.size(); ++i)
    layerBytes.push_back(codec.layer(options.layers[i], layers[i], metadata.texts));
  if (!layers.empty()) metadata.texts.push_back({kLayersKeyword, hashesOf(layerBytes)});
  if (!options.dated && !codec.hasChecksums) metadata.texts.push_back({kContentKeyword, std::string(kUnhashed)});
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
