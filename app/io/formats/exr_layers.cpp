#include "app/io/formats/exr_layers.h"

#include <algorithm>
#include <cmath>
#include <glm/common.hpp>
#include <glm/mat3x3.hpp>
#include <glm/matrix.hpp>
#include <glm/vec3.hpp>
#include <limits>
#include <stdexcept>
#include <string>
#include <utility>

#include "app/core/pixels.h"
#include "app/core/text/foreign_text.h"
#include "app/core/text/letters.h"
#include "app/core/text/number.h"
#include "app/io/formats/exr.h"
#include "app/io/layer_file.h"

namespace satdof {

namespace {

ExrLimits exrLimits(const FileLimits& limits) { return {limits.side, 16 * static_cast<std::size_t>(limits.pixels)}; }

// Returns the layer of a channel: "ViewLayer.Depth" for "ViewLayer.Depth.Z", whose component is Z.
std::string_view layerOf(std::string_view name) {
  const std::size_t dot = name.rfind('.');
  return dot == name.npos ? std::string_view() : name.substr(0, dot);
}
std::string_view lastWord(std::string_view name) { return name.substr(name.rfind('.') + 1); }

// Returns the name in `names` of a component of a layer, case-insensitive; empty if there is none.
std::string componentOf(const std::vector<std::string>& names, std::string_view layer, std::string_view component) {
  for (const std::string& name : names)
    if (layerOf(name) == layer && lowerCase(lastWord(name)) == component) return name;
  return {};
}

struct Channels {
  std::size_t part = 0;
  std::vector<std::string> names;
};

// Returns the colour channels of a layer: R, G, B; or Y, RY, BY; or Y. Empty if it has none.
std::vector<std::string> coloursOf(const std::vector<std::string>& names, std::string_view layer) {
  const auto all = [&](std::initializer_list<const char*> components) {
    std::vector<std::string> found;
    for (const char* component : components)
      if (std::string name = componentOf(names, layer, component); !name.empty()) found.push_back(std::move(name));
    return found.size() == components.size() ? found : std::vector<std::string>();
  };
  for (const auto& components :
       {std::initializer_list<const char*>{"r", "g", "b"}, {"red", "green", "blue"}, {"y", "ry", "by"}, {"y"}})
    if (auto found = all(components); !found.empty()) return found;
  return {};
}

// Ranks a layer by its name as the finished image, 0 for the best. Nothing if the name denotes data other than colours.
std::optional<int> colourRank(std::string_view layer) {
  static constexpr std::array kFinished = {"",      "rgba",   "rgb", "combined", "beauty",     "composite",
                                           "color", "colour", "c",   "image",    "finalimage", "main"};
  static constexpr std::array kData = {"depth", "normal", "vector", "position", "crypto", "motion",
                                       "mist",  "coc",    "object", "material", "index",  "mask",
                                       "matte", "uv",     "shadow", "alpha",    "near"};
  const std::string last = lowerCase(lastWord(layer)), whole = lowerCase(layer);
  if (std::ranges::find(kFinished, last) != kFinished.end()) return layer.empty() ? 0 : 1;
  if (std::ranges::any_of(kData, [&](const char* word) { return whole.find(word) != whole.npos; })) return std::nullopt;
  return 2;
}

std::string listed(const std::vector<ExrPart>& parts) {
  constexpr std::size_t kMax = 12;
  std::string text;
  std::size_t count = 0;
  for (const ExrPart& part : parts)
    for (const std::string& name : part.channels) {
      if (count++ < kMax) text.append(text.empty() ? "" : ", ").append(excerpt(name, 40));
      if (count == kMax + 1) text += ", ...";
    }
  return "; its channels: " + text;
}

Channels chooseColours(const std::vector<ExrPart>& parts) {
  Channels best;
  int bestRank = std::numeric_limits<int>::max();
  for (std::size_t part = 0; part < parts.size(); ++part)
    for (const std::string& name : parts[part].channels) {
      const auto rank = parts[part].deep ? std::nullopt : colourRank(layerOf(name));
      if (!rank || *rank >= bestRank) continue;
      auto names = coloursOf(parts[part].channels, layerOf(name));
      // A lone Y in a layer with another name need not be luminance.
      if (names.empty() || (names.size() == 1 && *rank > 1)) continue;
      best = {part, std::move(names)};
      bestRank = *rank;
    }
  if (best.names.empty()) throw std::runtime_error("it has no channels R, G and B, and no Y" + listed(parts));
  return best;
}

constexpr std::string_view kDepth = "depth";
constexpr int kWritten = 0, kMist = 6;
// Ranks a channel as depth, 0 for the best. Nothing if it is not depth. `written`: satdof wrote the file.
std::optional<int> depthRank(const std::vector<std::string>& names, const std::string& name, bool written) {
  const std::string whole = lowerCase(name), component(lastWord(whole)), layer(layerOf(whole));
  const auto isDepth = [](std::string_view word) {
    return word.find(kDepth) != word.npos || word == "z" || word == "pz" || word == "zbuffer";
  };
  if (name == "depth.Y" && written) return kWritten;
  const std::string_view own = layerOf(name);
  const bool vector = !componentOf(names, own, "x").empty() && !componentOf(names, own, "y").empty();
  if (component == "z") {
    if (vector) return std::nullopt;
    if (layer.empty()) return 1;
    if (lastWord(layer) == kDepth) return 2;  // not "Denoising Depth"
    if (isDepth(lastWord(layer))) return 3;
    return layer.find("mist") != layer.npos ? kMist : 5;
  }
  if (isDepth(component)) return 4;
  static constexpr std::array kFirst = {"r", "red", "y", "v", "x"};
  if (!layer.empty() && isDepth(lastWord(layer)) && std::ranges::find(kFirst, component) != kFirst.end()) return 4;
  return std::nullopt;
}

std::optional<std::pair<Channels, int>> chooseDepth(const std::vector<ExrPart>& parts, bool written) {
  std::optional<std::pair<Channels, int>> best;
  for (std::size_t part = 0; part < parts.size(); ++part)
    for (const std::string& name : parts[part].channels) {
      const auto rank = parts[part].deep ? std::nullopt : depthRank(parts[part].channels, name, written);
      if (rank && (!best || *rank < best->second)) best = {{part, {name}}, *rank};
    }
  return best;
}

// The display window of a file.
struct Frame {
  glm::ivec2 size{0};   // in pixels of the file
  glm::ivec2 shown{0};  // in square pixels
};

Frame frameOf(const ExrImage& image, const FileLimits& limits, Notes& notes) {
  constexpr float kMaxAspect = 8.0f;
  // A display window may exceed the data window by this factor; small ones are always allowed.
  constexpr std::int64_t kFreePixels = std::int64_t{1} << 26, kPerPixel = 16;
  Frame frame{image.displaySize, image.displaySize};
  const auto text = [](glm::ivec2 size) { return std::to_string(size.x) + "x" + std::to_string(size.y); };
  const float aspect = image.pixelAspect;
  if (!(aspect >= 1.0f / kMaxAspect && aspect <= kMaxAspect))
    addNote(notes, "its pixel aspect ratio is ignored");
  else if (aspect > 1.0f)
    frame.shown.x = std::max(static_cast<int>(std::lround(aspect * static_cast<float>(frame.size.x))), 1);
  else
    frame.shown.y = std::max(static_cast<int>(std::lround(static_cast<float>(frame.size.y) / aspect)), 1);
  FileLimits room = limits;
  room.pixels = std::min(limits.pixels, std::max(kFreePixels, kPerPixel * image.size.x * std::int64_t{image.size.y}));
  requireSize(frame.shown, room, 1, std::numeric_limits<double>::infinity());
  if (frame.size != image.size || image.from != glm::ivec2(0))
    addNote(notes, "its " + text(image.size) + " pixels stand in a display window of " + text(frame.size));
  if (frame.shown != frame.size)
    addNote(notes, "its pixels are not square: stretched from " + text(frame.size) + " to " + text(frame.shown));
  return frame;
}

// Resamples `values` of the data window to frame.shown pixels; `outside` fills the rest. `smooth`: linear
// interpolation, else nearest.
std::vector<float> framed(const ExrImage& image, const Frame& frame, std::vector<float> values, float outside,
                          bool smooth) {
  if (frame.size != image.size || image.from != glm::ivec2(0)) {
    std::vector<float> placed(pixelCount(frame.size), outside);
    const glm::ivec2 from = glm::max(image.from, glm::ivec2(0)), to = glm::min(image.from + image.size, frame.size);
    for (int y = from.y; y < to.y; ++y)
      for (int x = from.x; x < to.x; ++x)
        placed[pixelIndex(frame.size, {x, y})] = values[pixelIndex(image.size, {x - image.from.x, y - image.from.y})];
    values = std::move(placed);
  }
  if (frame.shown == frame.size) return values;
  std::vector<float> stretched(pixelCount(frame.shown));
  const glm::vec2 scale = glm::vec2(frame.size) / glm::vec2(frame.shown);
  for (int y = 0; y < frame.shown.y; ++y)
    for (int x = 0; x < frame.shown.x; ++x) {
      const glm::vec2 place = (glm::vec2(x, y) + 0.5f) * scale - 0.5f;
      const glm::vec2 whole = smooth ? glm::floor(place) : glm::round(place), t = smooth ? place - whole : glm::vec2(0);
      const auto at = [&](int i, int j) {
        const glm::ivec2 p = glm::clamp(glm::ivec2(whole) + glm::ivec2(i, j), glm::ivec2(0), frame.size - 1);
        return values[pixelIndex(frame.size, {p.x, p.y})];
      };
      // Pixels are stretched along one axis only.
      const bool across = frame.shown.x != frame.size.x;
      const float part = across ? t.x : t.y, low = at(0, 0);
      stretched[pixelIndex(frame.shown, {x, y})] =
          part > 0.0f ? glm::mix(low, across ? at(1, 0) : at(0, 1), part) : low;
    }
  return stretched;
}

using Primaries = std::array<glm::vec2, 4>;
constexpr Primaries kSrgb = {glm::vec2(0.64f, 0.33f), glm::vec2(0.30f, 0.60f), glm::vec2(0.15f, 0.06f),
                             glm::vec2(0.3127f, 0.3290f)};

glm::vec3 xyz(glm::vec2 c) { return {c.x / c.y, 1.0f, (1.0f - c.x - c.y) / c.y}; }

// Returns the matrix from linear RGB to XYZ; white (1, 1, 1) has Y = 1. Also valid for primaries with y = 0.
glm::mat3 toXyz(const Primaries& primaries) {
  glm::mat3 rgb;
  for (int i = 0; i < 3; ++i) {
    const glm::vec2 c = primaries[static_cast<std::size_t>(i)];
    rgb[i] = {c.x, c.y, 1.0f - c.x - c.y};
  }
  const glm::vec3 sums = glm::inverse(rgb) * xyz(primaries[3]);
  return {rgb[0] * sums.x, rgb[1] * sums.y, rgb[2] * sums.z};
}

bool isFinite(const glm::mat3& m) {
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      if (!std::isfinite(m[i][j])) return false;
  return true;
}

// Returns the matrix from linear RGB of these primaries to linear sRGB, with Bradford adaptation of the white.
glm::mat3 toSrgb(const Primaries& primaries) {
  const glm::mat3 cones =
      glm::transpose(glm::mat3(0.8951f, 0.2664f, -0.1614f, -0.7502f, 1.7135f, 0.0367f, 0.0389f, -0.0685f, 1.0296f));
  const glm::vec3 from = cones * xyz(primaries[3]), to = cones * xyz(kSrgb[3]);
  glm::mat3 gains(1.0f);
  for (int i = 0; i < 3; ++i) gains[i][i] = to[i] / from[i];
  return glm::inverse(toXyz(kSrgb)) * glm::inverse(cones) * gains * cones * toXyz(primaries);
}

bool nearlySrgb(const Primaries& primaries) {
  for (std::size_t i = 0; i < primaries.size(); ++i)
    if (glm::any(glm::greaterThan(glm::abs(primaries[i] - kSrgb[i]), glm::vec2(2e-3f)))) return false;
  return true;
}

void convert(ExrColours& colours, const glm::mat3& matrix) {
  for (std::size_t i = 0; i < colours.rgb[0].size(); ++i) {
    const glm::vec3 rgb = matrix * glm::vec3(colours.rgb[0][i], colours.rgb[1][i], colours.rgb[2][i]);
    for (int c = 0; c < 3; ++c) colours.rgb[static_cast<std::size_t>(c)][i] = rgb[c];
  }
}

// Converts Y, RY = (R - Y) / Y and BY = (B - Y) / Y to RGB. Y is the dot product of `weights` and RGB.
void chromaToRgb(ExrColours& colours, glm::vec3 weights) {
  for (std::size_t i = 0; i < colours.rgb[0].size(); ++i) {
    const float y = colours.rgb[0][i], r = (colours.rgb[1][i] + 1.0f) * y, b = (colours.rgb[2][i] + 1.0f) * y;
    colours.rgb[0][i] = r;
    colours.rgb[1][i] = (y - r * weights.x - b * weights.z) / weights.y;
    colours.rgb[2][i] = b;
  }
}

// Returns the depth outside the data window: infinitely far, or unknown (NaN) for relative depth.
float depthOutside(DepthMeaning meaning) {
  if (meaning == DepthMeaning::metres) return std::numeric_limits<float>::infinity();
  if (meaning == DepthMeaning::inverseMetres) return 0.0f;
  return std::numeric_limits<float>::quiet_NaN();
}

std::optional<std::string> nearText(std::string_view bytes) { return exrText(bytes, kNearKeyword); }

DepthImage readDepth(std::string_view bytes, const Channels& channels, int rank, const FileLimits& limits) {
  ExrImage image = decodeExr(bytes, "depth", channels.names, exrLimits(limits), channels.part);
  ExrChannel& channel = image.channels.at(0);
  DepthImage depth;
  const std::string shown = excerpt(channel.name, 100);
  if (rank == kWritten) {
    const double nearM = leadingNumber<double>(nearText(bytes).value_or("")).value_or(0);
    if (!(nearM > 0)) throw std::runtime_error("its attribute satdof-near-m is no length");
    depth.meaning = DepthMeaning::inverseMetres;
    depth.scale = 1.0 / nearM;
    depth.corrected = exrText(bytes, kCorrectedKeyword).has_value();
    depth.paintedOn = exrText(bytes, kPaintedOnKeyword).value_or("");
    depth.origin = "satdof";
  } else if (rank == kMist) {
    for (float& v : channel.values) v = -v;  // relative depth: large numbers are near
    depth.meaning = DepthMeaning::relative;
    depth.origin = "the channel " + shown;
    addNote(depth.notes, "it has no depth but the mist in the channel " + shown + ": relative depth");
  } else if (lowerCase(lastWord(channel.name)) == "z") {
    depth.meaning = DepthMeaning::metres;
    depth.origin = "the channel " + shown;
  }
  if (rank > 1 && rank != kMist) addNote(depth.notes, "its depth is the channel " + shown);
  const Frame frame = frameOf(image, limits, depth.notes);
  depth.values = framed(image, frame, std::move(channel.values), depthOutside(depth.meaning), false);
  depth.size = frame.shown;
  return depth;
}

// Reads depth from equal channels R, G and B. Throws if they differ by more than the rounding of half floats.
DepthImage readGrey(std::string_view bytes, const Channels& channels, const FileLimits& limits,
                    const std::vector<ExrPart>& parts) {
  constexpr float kMaxRatio = 4e-3f;
  const ExrImage image = decodeExr(bytes, "depth", channels.names, exrLimits(limits), channels.part);
  const auto* const r = image.channel(channels.names[0]);
  for (const ExrChannel& other : image.channels)
    for (std::size_t i = 0; i < r->values.size(); ++i)
      if (std::abs(other.values[i] - r->values[i]) > kMaxRatio * std::abs(r->values[i]))
        throw std::runtime_error("it has no channel Z, and R, G and B are not equal" + listed(parts));
  return readDepth(bytes, {channels.part, {channels.names[0]}}, 4, limits);
}

}  // namespace

glm::ivec2 exrSize(std::string_view bytes, const FileLimits& limits) {
  Notes notes;
  const Channels channels = chooseColours(exrParts(bytes, "image"));
  return frameOf(decodeExr(bytes, "image", {"no channel"}, exrLimits(limits), channels.part), limits, notes).shown;
}

ExrColours coloursInExr(std::string_view bytes, const FileLimits& limits) {
  const Channels channels = chooseColours(exrParts(bytes, "image"));
  ExrImage image = decodeExr(bytes, "image", channels.names, exrLimits(limits), channels.part);
  ExrColours colours;
  if (const auto layer = layerOf(channels.names[0]); !layer.empty())
    addNote(colours.notes, "its colours are those of the layer " + excerpt(layer, 100));
  const Frame frame = frameOf(image, limits, colours.notes);
  colours.size = frame.shown;
  const bool grey = channels.names.size() == 1, chroma = lowerCase(lastWord(channels.names.back())) == "by";
  for (std::size_t c = 0; c < 3; ++c) {
    const auto found = std::ranges::find(image.channels, channels.names[grey ? 0 : c], &ExrChannel::name);
    colours.rgb[c] = framed(image, frame, grey && c < 2 ? found->values : std::move(found->values), 0.0f, true);
  }
  const Primaries primaries = image.primaries.value_or(kSrgb);
  const glm::mat3 weights = toXyz(primaries), matrix = toSrgb(primaries);
  const bool usable = isFinite(weights) && isFinite(matrix);
  if (!usable) addNote(colours.notes, "its chromaticities are ignored: sRGB assumed");
  if (chroma) {
    const glm::mat3 of = usable ? weights : toXyz(kSrgb);
    chromaToRgb(colours, {of[0].y, of[1].y, of[2].y});
    addNote(colours.notes, "its colours are stored as luminance and smaller chroma: interpolated");
  }
  if (usable && !grey && !nearlySrgb(primaries)) {
    convert(colours, matrix);
    addNote(colours.notes, "colours converted from the primaries that the file names");
  }
  return colours;
}

std::optional<DepthImage> depthInExr(std::string_view bytes, const FileLimits& limits) {
  const auto found = chooseDepth(exrParts(bytes, "image"), nearText(bytes).has_value());
  if (!found) return std::nullopt;
  return readDepth(bytes, found->first, found->second, limits);
}

DepthImage depthOfExr(std::string_view bytes, const FileLimits& limits) {
  const std::vector<ExrPart> parts = exrParts(bytes, "depth");
  if (const auto found = chooseDepth(parts, nearText(bytes).has_value()))
    return readDepth(bytes, found->first, found->second, limits);
  Channels only;
  std::size_t count = 0;
  for (std::size_t part = 0; part < parts.size(); ++part)
    for (const std::string& name : parts[part].channels) {
      if (parts[part].deep || lowerCase(lastWord(name)) == "a" || lowerCase(lastWord(name)) == "alpha") continue;
      only = {part, {name}};
      ++count;
    }
  if (count == 1) return readDepth(bytes, only, 1, limits);
  const auto colours = [&]() -> std::optional<Channels> {
    try {
      return chooseColours(parts);
    } catch (const std::runtime_error&) {
      return std::nullopt;
    }
  }();
  if (!colours || colours->names.size() != 3 || lowerCase(lastWord(colours->names[1])) == "ry")
    throw std::runtime_error("it has no channel Z" + listed(parts));
  return readGrey(bytes, *colours, limits, parts);
}

}  // namespace satdof
