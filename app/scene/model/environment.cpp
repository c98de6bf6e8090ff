#include "app/scene/model/environment.h"

#include <algorithm>
#include <cmath>
#include <glm/common.hpp>
#include <glm/geometric.hpp>
#include <numbers>
#include <stdexcept>

#include "app/core/files/file_names.h"
#include "app/core/files/files.h"
#include "app/core/text/foreign_text.h"
#include "app/io/codec.h"
#include "shaders/common/random.h"

namespace satdof {

namespace {

constexpr float kPi = std::numbers::pi_v<float>;
constexpr float kBrightest = 60000.0f;    // below 65504, the largest half float
constexpr int kSamples = 64;              // per prefiltered texel
constexpr glm::ivec2 kLeastSize(32, 16);  // of a sky for sums over texel centres, within 1 %

// An image of radianceAt(texture coordinates).
template <class RadianceAt>
SkyImage imageOf(glm::ivec2 size, const RadianceAt& radianceAt) {
  SkyImage image{size, std::vector<glm::vec3>(pixelCount(size))};
  for (int y = 0; y < size.y; ++y)
    for (int x = 0; x < size.x; ++x)
      image.radiance[pixelIndex(size, {x, y})] = radianceAt((glm::vec2(x, y) + 0.5f) / glm::vec2(size));
  return image;
}

using Basis = std::array<float, 9>;

// The real spherical harmonics up to l = 2.
Basis basis(const glm::vec3& n) {
  return {0.282095f,
          0.488603f * n.y,
          0.488603f * n.z,
          0.488603f * n.x,
          1.092548f * n.x * n.y,
          1.092548f * n.y * n.z,
          0.315392f * (3.0f * n.z * n.z - 1.0f),
          1.092548f * n.x * n.z,
          0.546274f * (n.x * n.x - n.y * n.y)};
}

// The next mipmap level: means of 2 x 2 texels, weighted by solid angle.
SkyImage halved(const SkyImage& sky) {
  SkyImage half;
  half.size = glm::max(sky.size / 2, glm::ivec2(1));
  half.radiance.resize(pixelCount(half.size));
  for (int y = 0; y < half.size.y; ++y) {
    const int y1 = std::min(2 * y + 1, sky.size.y - 1);
    const auto sine = [&](int row) {
      return std::sin(kPi * (static_cast<float>(row) + 0.5f) / static_cast<float>(sky.size.y));
    };
    const float low = sine(2 * y), high = sine(y1), part = low / (low + high);
    for (int x = 0; x < half.size.x; ++x) {
      const int x1 = std::min(2 * x + 1, sky.size.x - 1);
      const glm::vec3 top = 0.5f * (sky.at(2 * x, 2 * y) + sky.at(x1, 2 * y));
      const glm::vec3 bottom = 0.5f * (sky.at(2 * x, y1) + sky.at(x1, y1));
      half.radiance[pixelIndex(half.size, {x, y})] = part * top + (1.0f - part) * bottom;
    }
  }
  return half;
}

// A sky and its mipmap levels.
using Pyramid = std::vector<SkyImage>;

glm::vec3 samplePyramid(const Pyramid& pyramid, glm::vec2 uv, float level) {
  const float last = static_cast<float>(pyramid.size() - 1);
  const float at = std::clamp(level, 0.0f, last);
  const auto low = static_cast<std::size_t>(at);
  const std::size_t high = std::min(low + 1, pyramid.size() - 1);
  return glm::mix(pyramid[low].sample(uv), pyramid[high].sample(uv), at - std::floor(at));
}

// Van der Corput sequence in base 2.
float radicalInverse(unsigned i) {
  float result = 0.0f, digit = 0.5f;
  for (; i != 0; i >>= 1, digit *= 0.5f)
    if ((i & 1u) != 0) result += digit;
  return result;
}

// Prefilters a sky for GGX of a roughness, with the view along the normal (Karis 2013). Samples half vectors by GGX;
// each sample reads the level of the pyramid whose texels have the solid angle of the sample (Krivanek and Colbert
// 2008). O(texels * kSamples).
SkyImage prefiltered(const Pyramid& pyramid, float roughness, glm::ivec2 size) {
  const float alpha = roughness * roughness, a2 = alpha * alpha;
  struct Sample {
    glm::vec3 light;  // tangent space
    float level;
  };
  std::vector<Sample> samples;
  const float texelAngle = 4.0f * kPi / static_cast<float>(pyramid[0].size.x * pyramid[0].size.y);
  for (unsigned i = 0; i < kSamples; ++i) {
    const float u = (static_cast<float>(i) + 0.5f) / kSamples, phi = 2.0f * kPi * radicalInverse(i);
    const float cosine = std::sqrt((1.0f - u) / (1.0f + (a2 - 1.0f) * u));
    const float sine = std::sqrt(std::max(1.0f - cosine * cosine, 0.0f));
    const glm::vec3 half(sine * std::cos(phi), sine * std::sin(phi), cosine);
    const glm::vec3 light(2.0f * cosine * half.x, 2.0f * cosine * half.y, 2.0f * cosine * cosine - 1.0f);
    if (light.z <= 0.0f) continue;
    const float d = cosine * cosine * (a2 - 1.0f) + 1.0f;
    const float density = a2 / (kPi * d * d) / 4.0f;  // n.h = v.h
    samples.push_back({light, 0.5f * std::log2(1.0f / (kSamples * density * texelAngle)) + 1.0f});
  }
  return imageOf(size, [&](const glm::vec2& uv) {
    const glm::vec3 n = skyDirection(uv);
    const glm::vec3 t = glm::normalize(glm::cross(std::abs(n.y) < 0.9f ? glm::vec3(0, 1, 0) : glm::vec3(1, 0, 0), n));
    const glm::vec3 b = glm::cross(n, t);
    glm::vec3 sum(0.0f);
    float weight = 0.0f;
    for (const auto& [light, level] : samples) {
      const glm::vec3 direction = light.x * t + light.y * b + light.z * n;
      sum += light.z * samplePyramid(pyramid, skyCoordinates(direction), level);
      weight += light.z;
    }
    return sum / weight;
  });
}

Irradiance irradianceOf(const SkyImage& sky) {
  Irradiance sums{};
  for (int y = 0; y < sky.size.y; ++y) {
    const float v0 = kPi * static_cast<float>(y) / static_cast<float>(sky.size.y);
    const float v1 = kPi * static_cast<float>(y + 1) / static_cast<float>(sky.size.y);
    const float angle = (std::cos(v0) - std::cos(v1)) * 2.0f * kPi / static_cast<float>(sky.size.x);
    for (int x = 0; x < sky.size.x; ++x) {
      const Basis b = basis(skyDirection((glm::vec2(x, y) + 0.5f) / glm::vec2(sky.size)));
      for (std::size_t i = 0; i < 9; ++i) sums[i] += sky.at(x, y) * (b[i] * angle);
    }
  }
  // Convolution with the clamped cosine, divided by pi.
  constexpr std::array kBands = {1.0f, 2.0f / 3.0f, 2.0f / 3.0f, 2.0f / 3.0f, 0.25f, 0.25f, 0.25f, 0.25f, 0.25f};
  for (std::size_t i = 0; i < 9; ++i) sums[i] *= kBands[i];
  return sums;
}

// Dusk over a town: the glow of the sun in the west, and lamps along the horizon.
glm::vec3 evening(const glm::vec3& d) {
  const glm::vec3 west = glm::normalize(glm::vec3(-0.75f, 0.06f, -0.66f));
  const float towards = std::max(glm::dot(d, west), 0.0f);
  const float height = std::max(d.y, 0.0f);
  const glm::vec3 zenith(0.020f, 0.040f, 0.105f);
  const float across = 0.5f + 0.5f * glm::dot(glm::vec2(d.x, d.z), glm::vec2(west.x, west.z));
  const glm::vec3 horizon = glm::mix(glm::vec3(0.10f, 0.09f, 0.15f), glm::vec3(0.85f, 0.36f, 0.14f), across * across);
  glm::vec3 sky = glm::mix(zenith, horizon, 1.0f / (1.0f + 18.0f * height * (0.25f + height)));
  sky +=
      glm::vec3(5.0f, 2.0f, 0.6f) * std::pow(towards, 90.0f) + glm::vec3(0.7f, 0.28f, 0.1f) * std::pow(towards, 8.0f);
  // Hills, and the ground in front of them.
  const float azimuth = std::atan2(d.x, -d.z);
  const float hills = 0.020f + 0.018f * std::sin(3.0f * azimuth + 0.7f) + 0.009f * std::sin(11.0f * azimuth);
  const float ground = glm::smoothstep(hills + 0.004f, hills - 0.004f, d.y);
  const glm::vec3 dark = glm::vec3(0.030f, 0.026f, 0.030f) + horizon * 0.05f * (1.0f + d.y);
  sky = glm::mix(sky, dark, ground);
  // One lamp below the hills per cell of the azimuth; a lamp may reach into the neighbouring cells.
  constexpr int kCells = 96;
  const float cell = (azimuth / (2.0f * kPi) + 0.5f) * kCells;
  for (int near = -1; near <= 1; ++near) {
    const int index = (static_cast<int>(std::floor(cell)) + near + kCells) % kCells;
    const auto seed = static_cast<unsigned>(index) * 4u;
    const float centre = std::floor(cell) + static_cast<float>(near) + 0.5f + 0.6f * (glsl::random(seed) - 0.5f);
    const float dx = (cell - centre) * 2.0f * kPi / kCells;
    const float dy = d.y - (0.012f - 0.085f * glsl::random(seed + 1) * glsl::random(seed + 1));
    const float radius = 0.0030f + 0.0025f * glsl::random(seed + 2);
    const float disc = glm::smoothstep(1.3f, 0.7f, std::sqrt(dx * dx + dy * dy) / radius);
    const float kind = glsl::random(seed + 3);
    const glm::vec3 colour = kind < 0.6f   ? glm::vec3(1.0f, 0.62f, 0.26f)
                             : kind < 0.8f ? glm::vec3(0.75f, 0.88f, 1.0f)
                             : kind < 0.9f ? glm::vec3(1.0f, 0.16f, 0.10f)
                                           : glm::vec3(0.25f, 1.0f, 0.55f);
    sky += colour * (disc * (14.0f + 22.0f * glsl::random(seed + 1)));
  }
  return sky;
}

// A rectangular light in the direction `to`: 1 inside, 0 outside, soft at the edges. The half sizes are at distance 1.
float softbox(const glm::vec3& d, const glm::vec3& to, float halfWidth, float halfHeight) {
  const glm::vec3 n = glm::normalize(to);
  const float along = glm::dot(d, n);
  if (along <= 0.05f) return 0.0f;
  const glm::vec3 right = glm::normalize(glm::cross(glm::vec3(0, 1, 0), n)), up = glm::cross(n, right);
  const float x = std::abs(glm::dot(d, right) / along), y = std::abs(glm::dot(d, up) / along);
  return glm::smoothstep(halfWidth * 1.06f, halfWidth * 0.94f, x) *
         glm::smoothstep(halfHeight * 1.06f, halfHeight * 0.94f, y);
}

// A photographer's studio: a key, a fill and a rim light before a grey backdrop.
glm::vec3 studio(const glm::vec3& d) {
  glm::vec3 sky = glm::mix(glm::vec3(0.055f), glm::vec3(0.16f, 0.165f, 0.175f), glm::smoothstep(-0.5f, 0.35f, d.y));
  sky *= 1.0f - 0.55f * glm::smoothstep(0.3f, 1.0f, d.y);
  sky += glm::vec3(1.0f, 0.95f, 0.88f) * (9.0f * softbox(d, {0.9f, 0.75f, 0.55f}, 0.42f, 0.42f));
  sky += glm::vec3(0.86f, 0.93f, 1.0f) * (2.6f * softbox(d, {-1.0f, 0.35f, 0.5f}, 0.5f, 0.8f));
  sky += glm::vec3(0.92f, 0.96f, 1.0f) * (6.0f * softbox(d, {-0.35f, 0.55f, -1.0f}, 0.75f, 0.10f));
  return sky;
}

constexpr std::array kRows = {
    EnvironmentRow{"evening", "dusk over a town, with lamps along the horizon", evening},
    EnvironmentRow{"studio", "a photographer's studio with three lights", studio},
};

bool isLight(const Codec& codec) { return codec.isLight; }

// Evaluates a built-in environment into an image.
SkyImage procedural(const EnvironmentRow& row) {
  constexpr glm::ivec2 kSize(2048, 1024);
  return imageOf(kSize, [&](const glm::vec2& uv) { return row.radiance(skyDirection(uv)); });
}

}  // namespace

glm::vec3 SkyImage::sample(glm::vec2 uv) const {
  const glm::vec2 p = uv * glm::vec2(size) - 0.5f, low = glm::floor(p), f = p - low;
  const auto wrapped = [&](int x) { return ((x % size.x) + size.x) % size.x; };
  const int x0 = wrapped(static_cast<int>(low.x)), x1 = wrapped(static_cast<int>(low.x) + 1);
  const int y0 = std::clamp(static_cast<int>(low.y), 0, size.y - 1);
  const int y1 = std::clamp(static_cast<int>(low.y) + 1, 0, size.y - 1);
  return glm::mix(glm::mix(at(x0, y0), at(x1, y0), f.x), glm::mix(at(x0, y1), at(x1, y1), f.x), f.y);
}

glm::vec3 skyDirection(glm::vec2 uv) {
  const float azimuth = (uv.x - 0.5f) * 2.0f * kPi, polar = uv.y * kPi;
  return {std::sin(polar) * std::sin(azimuth), std::cos(polar), -std::sin(polar) * std::cos(azimuth)};
}

glm::vec2 skyCoordinates(const glm::vec3& d) {
  return {std::atan2(d.x, -d.z) / (2.0f * kPi) + 0.5f, std::acos(std::clamp(d.y, -1.0f, 1.0f)) / kPi};
}

glm::vec3 irradianceOverPi(const Irradiance& coefficients, const glm::vec3& normal) {
  const Basis b = basis(normal);
  glm::vec3 sum(0.0f);
  for (std::size_t i = 0; i < 9; ++i) sum += coefficients[i] * b[i];
  return glm::max(sum, 0.0f);
}

Environment makeEnvironment(SkyImage sky, LoadProgress& progress) {
  Environment environment;
  progress.report(0.4f, "filtering the environment");
  Pyramid pyramid{sky};
  while (pyramid[0].size.x > 2 * kPrefilteredSize.x) pyramid[0] = halved(pyramid[0]);
  if (const glm::ivec2 size = glm::max(pyramid[0].size, kLeastSize); size != pyramid[0].size)
    pyramid[0] = imageOf(size, [&](const glm::vec2& uv) { return pyramid[0].sample(uv); });
  while (std::min(pyramid.back().size.x, pyramid.back().size.y) > 1) pyramid.push_back(halved(pyramid.back()));
  environment.irradiance = irradianceOf(pyramid[0]);
  for (int level = 0; level < kPrefilteredLevels; ++level) {
    progress.report(0.5f + 0.5f * static_cast<float>(level) / kPrefilteredLevels, "filtering the environment");
    const float roughness = static_cast<float>(level) / (kPrefilteredLevels - 1);
    environment.prefiltered.push_back(prefiltered(pyramid, std::max(roughness, 0.03f), kPrefilteredSize >> level));
  }
  environment.sky = std::move(sky);
  return environment;
}

SkyImage decodeSky(std::string_view bytes, const FileLimits& limits, Notes& notes) {
  const Codec* const codec = codecByContent(bytes);
  if (codec == nullptr || !codec->isLight) throw std::runtime_error("it is no " + codecNames(isLight, "or"));
  const Picture picture = codec->picture(bytes, limits);
  addNotes(notes, picture.notes);
  const double aspect = static_cast<double>(picture.size.x) / picture.size.y;
  if (std::abs(aspect - 2.0) > 0.1)
    addNote(notes,
            "taken for a panorama of all directions, longitude by latitude, though it is not twice as wide "
            "as high");
  SkyImage sky;
  sky.size = picture.size;
  const auto width = static_cast<std::size_t>(sky.size.x), height = static_cast<std::size_t>(sky.size.y);
  sky.radiance.reserve(width * height);
  for (std::size_t row = height; row-- > 0;)
    for (std::size_t x = 0; x < width; ++x)
      sky.radiance.push_back(glm::min(lightAt(picture, row * width + x), kBrightest));
  return sky;
}

std::span<const EnvironmentRow> environmentRows() { return kRows; }

std::vector<std::string> environmentExtensions() { return extensionsOf(isLight); }

bool isEnvironmentFile(const std::filesystem::path& path) {
  const Codec* const codec = codecByExtension(path);
  return codec != nullptr && isLight(*codec);
}

std::shared_ptr<const Environment> loadEnvironment(const std::string& name, LoadProgress& progress) {
  progress.report(0.0f, "making the environment");
  const auto row = std::ranges::find_if(kRows, [&](const EnvironmentRow& r) { return name == r.name; });
  if (name.empty() || row != kRows.end())
    return std::make_shared<Environment>(makeEnvironment(procedural(name.empty() ? kRows[0] : *row), progress));
  try {
    const std::filesystem::path path(name);
    if (!isEnvironmentFile(path)) throw std::runtime_error("not a " + codecExtensions(isLight, "or") + " file");
    const FileLimits limits;
    Notes notes;
    SkyImage sky = decodeSky(readWholeFile(path, limits.bytes), limits, notes);
    auto environment = std::make_shared<Environment>(makeEnvironment(std::move(sky), progress));
    environment->notes = inFile(path, notes);
    return environment;
  } catch (const std::runtime_error& error) {
    throw std::runtime_error("cannot read the environment " + pathText(name) + ": " +
                             readingReason(name, error.what()));
  }
}

}  // namespace satdof
