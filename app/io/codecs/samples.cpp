#include "app/io/codecs/samples.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "app/core/system/thread_pool.h"
#include "app/core/text/count_text.h"
#include "app/io/metadata/colour_profile.h"

namespace satdof {

namespace {

constexpr std::uint16_t kHalfOne = 0x3c00;

// Returns the linear light of each sample value: sRGB, or v^(1 / gamma) if gamma > 0.
std::vector<float> linearOf(int values, double gamma) {
  std::vector<float> linear(static_cast<std::size_t>(values));
  for (std::size_t i = 0; i < linear.size(); ++i) {
    const float v = static_cast<float>(i) / static_cast<float>(values - 1);
    linear[i] = gamma > 0.0 ? static_cast<float>(std::pow(v, 1.0 / gamma)) : decodeSrgb(v);
  }
  return linear;
}

// Whether a pixel is not opaque. The last of 2 or 4 channels is opacity.
template <class T>
bool hasTransparency(const T* samples, glm::ivec2 size, int channels) {
  for (std::size_t i = 1; i <= pixelCount(size); ++i)
    if (samples[i * static_cast<std::size_t>(channels) - 1] != static_cast<T>(-1)) return true;
  return false;
}

// Converts `samples` by the profile, blended over black. `alpha`: the last channel is opacity.
template <class T>
void convertByProfile(const ColourProfile& profile, Picture& picture, const T* samples, int channels, bool alpha) {
  const std::size_t width = static_cast<std::size_t>(picture.size.x), pixel = static_cast<std::size_t>(channels);
  picture.rgba.resize(4 * pixelCount(picture.size));
  ThreadPool threads(hardwareThreads());
  threads.forEach(picture.size.y, [&](int y) {
    std::vector<float> rgb(3 * width);
    const std::size_t first = static_cast<std::size_t>(y) * width;
    const T* const row = samples + first * pixel;
    profile.convert(row, rgb.data(), width);
    for (std::size_t x = 0; x < width; ++x) {
      std::uint16_t* const to = &picture.rgba[4 * (first + x)];
      const float opacity =
          alpha ? static_cast<float>(row[(x + 1) * pixel - 1]) / static_cast<float>(static_cast<T>(-1)) : 1.0f;
      for (std::size_t c = 0; c < 3; ++c) to[c] = half(rgb[3 * x + c] * opacity);
      to[3] = kHalfOne;
    }
  });
  addNote(picture.notes, "colours converted from the profile " + profile.name());
}

}  // namespace

template <class T>
void convert(Picture& picture, const T* samples, int channels, double gamma, const std::string& icc) {
  if (channels % 2 == 0 && hasTransparency(samples, picture.size, channels))
    addNote(picture.notes, "transparent pixels blended over black");
  if (!icc.empty()) {
    const ColourProfile profile(icc, channels, sizeof(T));
    if (profile.converts()) {
      convertByProfile(profile, picture, samples, channels, channels % 2 == 0);
      return;
    }
    if (!profile.ignored().empty()) addNote(picture.notes, profile.ignored());
  }
  const std::vector<float> linear = linearOf(1 << (8 * sizeof(T)), gamma);
  std::vector<std::uint16_t> halves(linear.size());
  std::ranges::transform(linear, halves.begin(), half);
  constexpr auto kOpaque = static_cast<float>(static_cast<T>(-1));
  const bool grey = channels < 3, alpha = channels % 2 == 0;
  picture.rgba.resize(4 * pixelCount(picture.size));
  for (std::size_t i = 0; i < picture.rgba.size(); i += 4, samples += channels) {
    const T opacity = alpha ? samples[channels - 1] : static_cast<T>(-1);
    for (std::size_t c = 0; c < 3; ++c) {
      const T value = samples[grey ? 0 : c];
      picture.rgba[i + c] =
          opacity == static_cast<T>(-1) ? halves[value] : half(linear[value] * static_cast<float>(opacity) / kOpaque);
    }
    picture.rgba[i + 3] = kHalfOne;
  }
}

template void convert(Picture&, const std::uint8_t*, int, double, const std::string&);
template void convert(Picture&, const std::uint16_t*, int, double, const std::string&);

template <class T>
void convertCmyk(Picture& picture, const T* samples, const std::string& icc) {
  constexpr auto kMax = static_cast<float>(static_cast<T>(-1));
  std::string ignored = "its inks have no ICC profile: plain inks assumed";
  if (!icc.empty()) {
    const ColourProfile profile(icc, kCmyk, sizeof(T));
    if (profile.converts()) {
      convertByProfile(profile, picture, samples, 4, false);
      return;
    }
    ignored = profile.ignored();
  }
  addNote(picture.notes, ignored);
  picture.rgba.resize(4 * pixelCount(picture.size));
  for (std::size_t i = 0; i < picture.rgba.size(); i += 4, samples += 4) {
    const float rest = 1.0f - static_cast<float>(samples[3]) / kMax;
    for (std::size_t c = 0; c < 3; ++c)
      picture.rgba[i + c] = half(decodeSrgb((1.0f - static_cast<float>(samples[c]) / kMax) * rest));
    picture.rgba[i + 3] = kHalfOne;
  }
}

template void convertCmyk(Picture&, const std::uint8_t*, const std::string&);
template void convertCmyk(Picture&, const std::uint16_t*, const std::string&);

template <class T>
void convertLab(Picture& picture, const T* samples) {
  const ColourProfile profile(namedProfile(NamedColours::lab), kLab, sizeof(T));
  if (!profile.converts())
    throw std::runtime_error(
        "its colours are CIE Lab, and this program was built without Little CMS: convert it to RGB");
  convertByProfile(profile, picture, samples, 3, false);
}

template void convertLab(Picture&, const std::uint8_t*);
template void convertLab(Picture&, const std::uint16_t*);

void noteNaNs(Notes& notes, std::size_t count) {
  if (count > 0) addNote(notes, "its colours have " + countText(count, "NaN") + ": 0 is taken");
}

void convertLight(Picture& picture, const float* samples, int channels) {
  const float* const end = samples + pixelCount(picture.size) * static_cast<std::size_t>(channels);
  const auto isNaN = [](float value) { return std::isnan(value); };
  noteNaNs(picture.notes, static_cast<std::size_t>(std::count_if(samples, end, isNaN)));
  picture.rgba.resize(4 * pixelCount(picture.size));
  for (std::size_t i = 0; i < picture.rgba.size(); i += 4, samples += channels) {
    for (std::size_t c = 0; c < 3; ++c) picture.rgba[i + c] = half(samples[channels == 1 ? 0 : c]);
    picture.rgba[i + 3] = kHalfOne;
  }
}

template <class T>
void takeGrey(DepthImage& depth, const T* samples, int channels, float largest) {
  constexpr int kMaxStep = 16;  // largest difference between channels, of 255
  const std::size_t colours = channels < 3 ? 1 : 3, count = pixelCount(depth.size);
  depth.largest = largest;
  depth.values.resize(count);
  if (channels % 2 == 0 && hasTransparency(samples, depth.size, channels))
    addNote(depth.notes, "its transparency is ignored: transparent pixels have their depth");
  int most = 0;
  for (std::size_t i = 0; i < count; ++i, samples += channels) {
    const auto [low, high] = std::minmax_element(samples, samples + colours);
    most = std::max(most, *high - *low);
    float sum = 0.0f;
    for (std::size_t c = 0; c < colours; ++c) sum += static_cast<float>(samples[c]);
    depth.values[i] = sum / static_cast<float>(colours);
  }
  if (static_cast<float>(most) * 255.0f > kMaxStep * largest)
    throw std::runtime_error("it is a colour image: depth needs one grey channel");
  if (most > 0)
    addNote(depth.notes, "its channels differ by up to " + std::to_string(most) + " of " +
                             std::to_string(static_cast<int>(largest)) + ": their mean is taken");
}

template void takeGrey(DepthImage&, const std::uint8_t*, int, float);
template void takeGrey(DepthImage&, const std::uint16_t*, int, float);

std::runtime_error encoderFailed(glm::ivec2 size, const char* extension, const char* why) {
  return std::runtime_error("cannot encode an image of " + std::to_string(size.x) + "x" + std::to_string(size.y) +
                            " as " + extension + ": " + why + " failed; try .pfm");
}

std::vector<float> interleaved(const std::vector<std::vector<float>>& planes) {
  std::vector<float> rgb;
  rgb.reserve(planes[0].size() * 3);
  for (std::size_t i = 0; i < planes[0].size(); ++i)
    for (std::size_t c = 0; c < 3; ++c) rgb.push_back(planes[c][i]);
  return rgb;
}

std::vector<float> metres(const std::vector<float>& depth, float nearM) {
  std::vector<float> distances(depth.size());
  std::ranges::transform(depth, distances.begin(),
                         [&](float d) { return d > 0.0f ? nearM / d : std::numeric_limits<float>::infinity(); });
  return distances;
}

}  // namespace satdof
