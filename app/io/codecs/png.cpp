#include "app/io/formats/png.h"
#include "app/core/text/number.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <stdexcept>

#include "app/core/field_json.h"
#include "app/io/codecs/rows.h"
#include "app/io/codecs/samples.h"
#include "app/io/codecs/stb.h"
#include "app/io/formats/jpeg.h"
#include "app/io/light.h"
#include "app/io/metadata/orientation.h"

namespace satdof::formats {

namespace {

Picture pictureOf(std::string_view bytes, const FileLimits& limits) {
  Notes damage;
  const PngImage image = decodePng(bytes, limits, &damage);
  Picture picture{image.size, {}, true, {}};
  if (image.bitDepth == 16)
    convert(picture, reinterpret_cast<const std::uint16_t*>(image.rows.data()), image.channels, image.gamma,
            image.profile);
  else
    convert(picture, image.rows.data(), image.channels, image.gamma, image.profile);
  applyOrientation(picture.rgba, picture.size, 4, exifOrientation(image.exif));
  addNotes(picture.notes, image.notes);
  addNotes(picture.notes, damage);
  if (isAnimatedPng(bytes)) addNote(picture.notes, "its frames are left out: the image for plain viewers is shown");
  return picture;
}

glm::ivec2 sizeOf(std::string_view head, const FileLimits& limits) {
  const glm::ivec2 size = pngSize(head) ? *pngSize(head) : sizeByStb(head, limits);
  return orientedSize(size, exifOrientation(pngExif(head, false)));
}

// The text that satdof writes into its PNG: {"metres": "scale / value", "scale": 61699.527, "infinite": 0}.
void applyText(DepthImage& depth, std::string_view bytes) {
  const auto text = pngText(bytes, "satdof-depth");
  if (!text) return;
  constexpr std::string_view kKey = "\"scale\":";
  const auto at = text->find(kKey);
  double scale = 0;
  if (at != text->npos) {
    const auto from = std::min(text->find_first_not_of(' ', at + kKey.size()), text->size());
    scale = leadingNumber<double>(std::string_view(*text).substr(from)).value_or(0);
  }
  if (!(scale > 0)) throw std::runtime_error("its text satdof-depth has no scale");
  depth.meaning = DepthMeaning::inverseMetres;
  depth.scale = 1.0 / scale;
  depth.origin = "satdof";
}

DepthImage depthOf(std::string_view bytes, const FileLimits& limits) {
  const PngImage image = decodePng(bytes, limits);
  DepthImage depth{.size = image.size};
  if (image.bitDepth == 16)
    takeGrey(depth, reinterpret_cast<const std::uint16_t*>(image.rows.data()), image.channels, 65535.0f);
  else
    takeGrey(depth, image.rows.data(), image.channels, 255.0f);
  applyText(depth, bytes);
  return depth;
}

bool isGrey(std::string_view head) {
  constexpr std::size_t kColourType = 25;
  return head.size() > kColourType && head[kColourType] == 0;
}

template <class T>
std::string encoded(const std::vector<T>& rgb, const Pixels& pixels, const Metadata& metadata) {
  constexpr int kBits = 8 * sizeof(T);
  if (pixels.alpha.empty()) return encodePng(rgb.data(), pixels.size, kBits, metadata.texts, 3, metadata.exif);
  std::vector<T> rgba;
  rgba.reserve(4 * pixels.alpha.size());
  for (std::size_t i = 0; i < pixels.alpha.size(); ++i) {
    rgba.insert(rgba.end(), &rgb[3 * i], &rgb[3 * i] + 3);
    rgba.push_back(static_cast<T>(std::lround(pixels.alpha[i] * static_cast<float>(static_cast<T>(-1)))));
  }
  return encodePng(rgba.data(), pixels.size, kBits, metadata.texts, 4, metadata.exif);
}

std::string write(Pixels& pixels, const Metadata& metadata, const WriteOptions&) {
  return pixels.rgb16.empty() ? encoded(pixels.rgb8, pixels, metadata) : encoded(pixels.rgb16, pixels, metadata);
}

// Integers of 16 bits: `zero` + scale * value, rounded. NaN is 0.
std::vector<std::uint16_t> quantised(const std::vector<float>& values, float zero, float scale) {
  std::vector<std::uint16_t> words(values.size());
  std::ranges::transform(values, words.begin(), [&](float value) {
    const float word = std::round(zero + scale * value);
    return static_cast<std::uint16_t>(word > 0.0f ? std::min(word, 65535.0f) : 0.0f);
  });
  return words;
}

std::string layerOf(Layer layer, const LayerImage& image, const std::vector<ImageText>& general) {
  if (layer == Layer::colour) {
    std::vector<float> rgb = interleaved(image.planes);
    std::ranges::transform(rgb, rgb.begin(), srgbOf);
    return encodePng(quantised(rgb, 0.0f, 65535.0f).data(), image.size, 16, general);
  }
  std::vector<ImageText> texts = general;
  const std::vector<float>& values = image.planes[0];
  const bool depth = layer == Layer::depth;
  float largest = depth ? 1e-6f : 1.0f;
  for (const float value : values)
    if (std::isfinite(value)) largest = std::max(largest, std::abs(value));
  const float scale = (depth ? 65535.0f : 32767.0f) / largest, zero = depth ? 0.0f : 32768.0f;
  if (depth)
    texts.push_back({kDepthKeyword, std::string(R"({"metres": "scale / value", "scale": )")
                                        .append(json::numberText(scale * image.nearM))
                                        .append(R"(, "infinite": 0})")});
  else
    texts.push_back({kCocKeyword, std::string(R"({"pixels": "(value - 32768) / scale", "scale": )")
                                      .append(json::numberText(scale))
                                      .append("}")});
  return encodePng(quantised(values, zero, scale).data(), image.size, 16, texts, 1);
}

}  // namespace

Codec png() {
  return {
      .name = "PNG",
      .extensions = {".png"},
      .begins = isPng,
      .about = {"1 to 16 bits, palettes, profile, `gAMA`, EXIF",
                "transparent pixels: blended over black; a missing end: black", "frames of an APNG, `cHRM`, `cICP`"},
      .picture = pictureOf,
      .size = sizeOf,
      .depth = depthOf,
      .oneChannel = isGrey,
      .exif = [](std::string_view head) { return pngExif(head); },
      .text = pngText,
      .choices = {{"PNG, 8 bit", "As displayed; contains the settings", 8},
                  {"PNG, 16 bit", "As displayed, with 16 bits per channel; contains the settings", 16}},
      .showsUi = true,
      .alpha = true,
      .hasChecksums = true,
      .write = write,
      .layer = layerOf};
}

}  // namespace satdof::formats
