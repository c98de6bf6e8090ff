#include "satdof/lens.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <glm/geometric.hpp>
#include <glm/gtc/packing.hpp>
#include <glm/trigonometric.hpp>
#include <limits>
#include <memory>
#include <string>
#include <utility>

#include "app/core/fields.h"
#include "app/io/light.h"
#include "app/lens/aperture/aperture.h"
#include "app/lens/aperture/image.h"
#include "app/lens/bokeh/plan.h"
#include "app/lens/box/plan.h"
#include "app/lens/layered/plan.h"
#include "app/lens/run/cpu_graph.h"
#include "library/src/refocus.h"
#include "shaders/common/tone.h"
#include "shaders/lens/channels.h"

namespace satdof {

const ApertureImage* apertureImage(const LensSettings&) { return nullptr; }  // no option is a file

}  // namespace satdof

namespace satdof::lens {

using cpu::Image, cpu::require;

// A row of the lenses that the library offers.
struct LensChoice {
  LensKind kind;
  NearField nearField;
  LensGraph (*plan)(const Technique& technique, const LensFacts& facts);
  std::unique_ptr<CpuBlur> (*blur)(const Technique& technique, int threads);
};

namespace {

constexpr std::array kChoices = {
    LensChoice{LensKind::layered, NearField::scattered,
               [](const Technique&, const LensFacts& facts) { return layeredGraph(facts); },
               [](const Technique&, int threads) { return makeCpuLayeredBlur(threads); }},
    LensChoice{
        LensKind::box, NearField::gathered,
        [](const Technique& technique, const LensFacts& facts) { return boxGraph(kThinLensRule, technique, facts); },
        [](const Technique& technique, int threads) { return makeCpuBoxBlur(technique, kThinLensRule, threads); }}};

// Whether the field is an option of refocus(): these lenses read it for a still image.
template <class T>
constexpr bool isOption(const Field& field) {
  constexpr std::string_view kOthers[] = {"lens.gemsFocusRangeM", "lens.gemsMaxRadiusPx", "lens.layers",
                                          "lens.lensSamples",     "lens.lensSeed",        "lens.jitter",
                                          "lens.overscan",        "lens.linkFieldOfView", "lens.diffraction",
                                          "scene.image.parallax"};
  constexpr std::string_view kMore[] = {"technique.lens.kind", "technique.bokeh.enabled", "camera.verticalFovDegrees"};
  if constexpr (std::is_same_v<T, FilePath> || std::is_same_v<T, Overscan>) return false;
  const auto isField = [&](std::string_view path) { return field.isAt(path); };
  if (std::ranges::any_of(kMore, isField)) return true;
  const std::string_view key = field.key;
  if (key.starts_with("lens.autofocus") || key == "lens.trackedObject") return false;
  const bool ofGroup =
      std::string_view(field.scope.path).empty() && (key.starts_with("lens.") || key.starts_with("scene.image."));
  return ofGroup && std::ranges::none_of(kOthers, isField);
}

// Sets `value` from the option. Throws std::invalid_argument if the type or the range is wrong.
template <class T>
void set(const Field& field, const Option& option, T& value) {
  const auto mustBe = [&](const char* wanted) { return std::string(option.name) + " must be " + wanted; };
  if constexpr (std::is_same_v<T, bool>) {
    const bool* const given = std::get_if<bool>(&option.value);
    require(given != nullptr, mustBe("true or false"));
    value = *given;
  } else if constexpr (std::is_arithmetic_v<T>) {
    const double* const given = std::get_if<double>(&option.value);
    require(given != nullptr, mustBe("a number"));
    require(*given >= field.min && *given <= field.max, option.name, " must be ", field.min, " to ", field.max,
            ", not ", *given);
    require(std::is_floating_point_v<T> || *given == std::floor(*given), mustBe("a whole number, not "), *given);
    value = static_cast<T>(*given);
  } else if constexpr (std::is_same_v<T, LensKind> || std::is_same_v<T, DepthMeaning>) {
    const auto* const given = std::get_if<std::string_view>(&option.value);
    std::string names;
    bool found = false;
    for (const auto& entry : entries(T{})) {
      if constexpr (std::is_same_v<T, LensKind>)
        if (std::ranges::find(kChoices, entry.value, &LensChoice::kind) == kChoices.end()) continue;
      names.append(names.empty() ? "" : ", ").append(entry.name);
      if (given != nullptr && *given == entry.name) found = true, value = entry.value;
    }
    require(found, option.name, " must be one of ", names, given != nullptr ? ", not " : "",
            given != nullptr ? *given : "");
  }
}

class Untimed final : public CpuTimings {
 public:
  std::shared_ptr<void> cpu(const char*) override { return nullptr; }
};

std::size_t pixelsOf(glm::ivec2 size) { return static_cast<std::size_t>(size.x) * static_cast<std::size_t>(size.y); }

// Calls task(index of the row's first pixel, y) for all rows on all threads.
template <class Task>
void forEachRow(glm::ivec2 size, const Task& task) {
  ThreadPool threads(cpu::threads());
  threads.forEach(size.y, [&](int y) { task(static_cast<std::size_t>(y) * static_cast<std::size_t>(size.x), y); });
}

}  // namespace

template <class T>
std::vector<std::uint16_t> halvesOf() {
  std::vector<std::uint16_t> halves(static_cast<std::size_t>(kWhite<T>) + 1);
  for (std::size_t i = 0; i < halves.size(); ++i) halves[i] = half(decodeSrgb(static_cast<float>(i) / kWhite<T>));
  return halves;
}
template std::vector<std::uint16_t> halvesOf<std::uint8_t>();
template std::vector<std::uint16_t> halvesOf<std::uint16_t>();

namespace {

template <class T>
Picture pictureOf(const Image<const T>& image) {
  Picture picture{{image.width, image.height}, {}, std::is_integral_v<T>, {}};
  picture.rgba.resize(4 * pixelsOf(picture.size));
  std::vector<std::uint16_t> halves;
  if constexpr (std::is_integral_v<T>) halves = halvesOf<T>();
  const std::uint16_t one = half(1.0f);
  forEachRow(picture.size, [&](std::size_t first, int y) {
    const T* from = image.row(image.height - 1 - y);
    for (std::size_t i = 4 * first; i < 4 * (first + static_cast<std::size_t>(image.width)); i += 4, from += 3) {
      for (std::size_t c = 0; c < 3; ++c)
        if constexpr (std::is_integral_v<T>) {
          picture.rgba[i + c] = halves[from[c]];
        } else {
          require(std::isfinite(from[c]), "the image has a value that is infinite or not a number");
          picture.rgba[i + c] = half(from[c]);
        }
      picture.rgba[i + 3] = one;
    }
  });
  return picture;
}

template <class D>
DepthImage depthOf(const Image<const D>& depth) {
  DepthImage read{.size = {depth.width, depth.height}, .largest = kWhite<D>};
  read.values.resize(pixelsOf(read.size));
  for (int y = 0; y < depth.height; ++y)
    std::copy_n(depth.row(depth.height - 1 - y), depth.width, read.values.begin() + std::ptrdiff_t{y} * depth.width);
  return read;
}

// Linear light of the image, as shaders/scene/image/image.frag gives it.
std::vector<glm::vec4> lightOf(const Picture& picture, const ImageSettings& settings) {
  std::vector<glm::vec4> light(pixelsOf(picture.size));
  forEachRow(picture.size, [&](std::size_t first, int) {
    for (std::size_t i = first; i < first + static_cast<std::size_t>(picture.size.x); ++i) {
      const auto value = [&](std::size_t c) { return glm::unpackHalf1x16(picture.rgba[4 * i + c]); };
      glm::vec3 v(value(0), value(1), value(2));
      if (picture.photograph) {
        v = glsl::unshouldered(v, settings.highlightsFrom, settings.highlights);
        for (int c = 0; c < 3; ++c) v[c] = glm::unpackHalf1x16(half(v[c]));
      }
      light[i] = glm::vec4(v, 1.0f);
    }
  });
  return light;
}

DepthMap alignedDepth(const Picture& picture, const DepthImage& depth, const ImageSettings& settings) try {
  ThreadPool threads(cpu::threads());
  return alignedTo(picture, depthMap(depth, settings), settings, threads);
} catch (const std::runtime_error& error) {
  throw std::invalid_argument(std::string("cannot use the depth: ") + error.what());
}

DepthRange rangeOf(const DepthMap& map) {
  return {map.nearM, std::max(distanceM(map.nearM, std::ranges::max(map.depth)), map.nearM), medianCentreM(map)};
}

// shaders/lens/channels.frag: combines the red, green and blue of three images, with lateral colour and
// vignetting. Inputs are rounded to half floats, as the textures of the program.
std::vector<glm::vec4> combined(const std::array<std::vector<glm::vec4>, 3>& channels, const LensSettings& lens,
                                const SceneFacts& facts) {
  const Aperture aperture = apertureOf(lens, facts);
  const float growth = lateralGrowth(lens, facts), vignetting = drawnVignetting(lens);
  const glm::ivec2 size = facts.size, last = size - 1;
  std::vector<glm::vec4> image(channels[0].size());
  forEachRow(size, [&](std::size_t first, int y) {
    for (int x = 0; x < size.x; ++x) {
      const glm::vec2 p = glm::vec2(x, y) + 0.5f;
      const auto at = [&](int c, float larger) {
        const auto value = [&](glm::ivec2 q) {
          q = glm::clamp(q, glm::ivec2(0), last);
          const auto i =
              static_cast<std::size_t>(q.y) * static_cast<std::size_t>(size.x) + static_cast<std::size_t>(q.x);
          return glm::unpackHalf1x16(half(channels[static_cast<std::size_t>(c)][i][c]));
        };
        if (larger == 0.0f) return value({x, y});
        const glm::vec2 from = glsl::channelPlace(aperture, p, larger), low = glm::floor(from);
        const glm::ivec2 q(low);
        const glm::vec2 f = from - low;
        return glm::mix(glm::mix(value(q), value(q + glm::ivec2(1, 0)), f.x),
                        glm::mix(value(q + glm::ivec2(0, 1)), value(q + 1), f.x), f.y);
      };
      const float left = vignetting > 0.0f ? glsl::lightLeft(aperture, p, vignetting) : 1.0f;
      image[first + static_cast<std::size_t>(x)] =
          glm::vec4(left * glm::vec3(at(0, growth), at(1, 0.0f), at(2, -growth)), 1.0f);
    }
  });
  return image;
}

// Draws a photograph with its depth through the lens, on the processor.
class Photograph {
 public:
  Photograph(const Picture& picture, const DepthImage& depth, std::span<const Option> options) : how_(options) {
    DepthMap map = alignedDepth(picture, depth, image());
    how_.take(picture.size, rangeOf(map));
    depth_ = std::move(map.depth);
    light_ = lightOf(picture, image());
  }

  const ImageSettings& image() const { return how_.settings().scene.image; }

  // Linear light.
  std::vector<glm::vec4> draw() const {
    const LensSettings& lens = how_.settings().lens;
    CpuGraph graph(how_.choice().blur(how_.settings().technique, cpu::threads()), cpu::threads());
    graph.resize(how_.facts().size);
    const std::vector<float> shifts = how_.shifts();
    std::array<std::vector<glm::vec4>, 3> drawn;
    for (std::size_t c = 0; c < shifts.size(); ++c) {
      const auto image = run(graph, shifts[c]);
      drawn[c].assign(image.begin(), image.end());
    }
    if (!drawsChannelsApart(lens)) return drawn[0];
    if (shifts.size() == 1) drawn[1] = drawn[2] = drawn[0];
    return combined(drawn, lens, how_.facts());
  }

 private:
  std::span<const glm::vec4> run(CpuGraph& graph, float shift) const {
    const LensSpace space = how_.space(shift);
    const LensGraph plan = how_.graph(space);
    graph.prepare(plan);
    CpuInput& input = graph.input(kColour);
    input.colour = light_;
    input.depth = depth_;
    const glm::ivec2 size = how_.facts().size;
    if (needsLensSpace(how_.settings().lens) || shift != 0.0f)
      forEachRow(size, [&](std::size_t first, int y) {
        for (int x = 0; x < size.x; ++x) {
          float& depth = input.depth[first + static_cast<std::size_t>(x)];
          depth = glsl::lensDepth(space.surface, depth, glm::vec2(x, y) + 0.5f);
        }
      });
    Untimed timings;
    return graph.draw(plan, space.scene, space.lens, glm::vec4(0.0f), timings);
  }

  Refocus how_;
  std::vector<float> depth_;
  std::vector<glm::vec4> light_;
};

// The sRGB value that shows `light`, rounded to half floats before: shaders/common/present.frag.
template <class T>
glm::vec3 shown(const glm::vec4& light, const ImageSettings& settings) {
  glm::vec3 v(0.0f);
  for (int c = 0; c < 3; ++c) v[c] = glm::unpackHalf1x16(half(light[c]));
  v = glm::min(glsl::shouldered(v, settings.highlightsFrom, settings.highlights), 1.0f);
  for (int c = 0; c < 3; ++c) v[c] = std::round(glsl::encodeSrgb(v[c]) * kWhite<T>);
  return v;
}

template <class T, class D>
void requireInputs(const Image<const T>& image, const Image<const D>& depth) {
  requireSides(image, "the image");
  requireSides(depth, "the depth");
  require(image.channels == 3, "the image has ", image.channels, " channels instead of 3");
  require(depth.channels == 1, "the depth has ", depth.channels, " channels instead of 1");
}

}  // namespace

Refocus::Refocus(std::span<const Option> options) {
  settings_.technique.lens = {LensKind::layered, LensOn::cpu};
  for (const Option& option : options) {
    bool found = false;
    describe(settings_, [&]<class T>(const Field& field, T& value) {
      if (found || !isOption<T>(field)) return;
      const bool named = (field.flag != nullptr && option.name == field.flag) || field.isAt(option.name);
      if (!named) return;
      set(field, option, value);
      found = true;
      focused_ |= field.isAt("lens.focusDistanceM");
    });
    require(found, "no option of the lens is called \"", option.name, "\"; optionNames() has all");
  }
}

void Refocus::take(glm::ivec2 size, const DepthRange& depth) {
  if (!focused_) settings_.lens.focusDistanceM = depth.middleM;
  const float fov = fieldOfViewDegrees(settings_.camera.verticalFovDegrees, settings_.lens);
  facts_ = {.size = size,
            .focalPx = 0.5f * static_cast<float>(size.y) / std::tan(glm::radians(fov) / 2),
            .nearM = depth.unitM,
            .nearestM = depth.nearestM,
            .axisPx = 0.5f * glm::vec2(size),
            .photographPx = size.y};
}

const LensChoice& Refocus::choice() const {
  return *std::ranges::find(kChoices, settings_.technique.lens.kind, &LensChoice::kind);
}

std::vector<float> Refocus::shifts() const {
  if (settings_.lens.axialColour == 0.0f) return {0.0f};
  const glm::vec3 shifts = focusShifts(settings_.lens);
  return {shifts.x, shifts.y, shifts.z};
}

LensGraph Refocus::graph(const LensSpace& space) const {
  const LensFacts facts{.lens = space.lens, .scene = space.scene};
  LensGraph graph = choice().plan(settings_.technique, facts);
  if (settings_.technique.bokeh.enabled) addSprites(graph, facts, choice().nearField, LensImage::blurred);
  return graph;
}

std::vector<std::string_view> optionNames() {
  std::vector<std::string_view> names;
  const Settings settings;
  describe(settings, [&]<class T>(const Field& field, const T&) {
    if (isOption<T>(field)) names.emplace_back(field.flag != nullptr ? field.flag : field.key);
  });
  return names;
}

template <class T, class D>
void refocus(Image<const T> image, Image<const D> depth, std::span<const Option> options, Image<T> out) {
  requireInputs(image, depth);
  requireSize(out, "the output", image, "the image");
  const Photograph work(pictureOf(image), depthOf(depth), options);
  const std::vector<glm::vec4> light = work.draw();
  forEachRow({image.width, image.height}, [&](std::size_t first, int y) {
    T* to = out.row(image.height - 1 - y);
    for (std::size_t i = first; i < first + static_cast<std::size_t>(image.width); ++i) {
      const glm::vec3 v = std::is_integral_v<T> ? shown<T>(light[i], work.image()) : glm::vec3(light[i]);
      for (int c = 0; c < 3; ++c) *to++ = static_cast<T>(v[c]);
    }
  });
}

template <class T, class D>
DepthRange prepareDepth(Image<const T> image, Image<const D> depth, std::span<const Option> options, Image<float> out) {
  requireInputs(image, depth);
  requireSize(out, "the output", image, "the image", 0, 1);
  const DepthMap map = alignedDepth(pictureOf(image), depthOf(depth), Refocus(options).settings().scene.image);
  for (int y = 0; y < image.height; ++y)
    std::copy_n(map.depth.begin() + std::ptrdiff_t{y} * image.width, image.width, out.row(image.height - 1 - y));
  return rangeOf(map);
}

#define SATDOF_REFOCUS(T, D)                                                                \
  template void refocus(Image<const T>, Image<const D>, std::span<const Option>, Image<T>); \
  template DepthRange prepareDepth(Image<const T>, Image<const D>, std::span<const Option>, Image<float>);
#define SATDOF_REFOCUS_IMAGE(T)   \
  SATDOF_REFOCUS(T, float)        \
  SATDOF_REFOCUS(T, std::uint8_t) \
  SATDOF_REFOCUS(T, std::uint16_t)
SATDOF_REFOCUS_IMAGE(float)
SATDOF_REFOCUS_IMAGE(std::uint8_t)
SATDOF_REFOCUS_IMAGE(std::uint16_t)
#undef SATDOF_REFOCUS_IMAGE
#undef SATDOF_REFOCUS

}  // namespace satdof::lens
