#include "app/io/layer_file.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <limits>
#include <sstream>

#include "app/core/usage_error.h"
#include "app/io/exr.h"
#include "app/io/png.h"

namespace satdof {

namespace {

using Plane = std::vector<float>;

constexpr std::array kLayers = {
    LayerRow{Layer::colour, "colour", "linear light before the lens"},
    LayerRow{Layer::depth, "depth", "distance along the optical axis"},
    LayerRow{Layer::coc, "coc", "signed radius of the circle of confusion in pixels"},
};

const LayerRow& rowOf(Layer layer) { return *std::ranges::find(kLayers, layer, &LayerRow::layer); }

// The shortest text that reads back to the same value.
std::string exact(float value) {
  std::array<char, 32> text{};
  const auto end = std::to_chars(text.data(), text.data() + text.size(), value).ptr;
  return {text.data(), end};
}

Plane metres(const Plane& depth, float nearM) {
  Plane distances(depth.size());
  std::ranges::transform(depth, distances.begin(), [&](float d) {
    return d > 0.0f ? nearM / d : std::numeric_limits<float>::infinity();
  });
  return distances;
}

Plane interleaved(const std::vector<Plane>& planes) {
  Plane rgb;
  rgb.reserve(planes[0].size() * 3);
  for (size_t i = 0; i < planes[0].size(); ++i)
    for (size_t c = 0; c < 3; ++c) rgb.push_back(planes[c][i]);
  return rgb;
}

std::string exrOf(Layer layer, const LayerImage& image, std::vector<ImageText> texts) {
  ExrImage exr{.size = image.size, .channels = {}, .texts = std::move(texts)};
  if (layer == Layer::colour) {
    for (size_t c = 0; c < 4; ++c) exr.channels.push_back({std::string(1, "RGBA"[c]), true, image.planes[c]});
  } else if (layer == Layer::depth) {
    exr.channels = {{"Z", false, metres(image.planes[0], image.nearM)},
                    {kInverseDepthChannel, false, image.planes[0]}};
    exr.texts.push_back({kNearKeyword, exact(image.nearM)});
  } else {
    exr.channels = {{"coc.Y", false, image.planes[0]}};
  }
  return encodeExr(exr);
}

// Integers of 16 bits: `zero` + scale * value, rounded. NaN is 0.
std::vector<std::uint16_t> quantised(const Plane& values, float zero, float scale) {
  std::vector<std::uint16_t> words(values.size());
  std::ranges::transform(values, words.begin(), [&](float value) {
    const float word = std::round(zero + scale * value);
    return static_cast<std::uint16_t>(word > 0.0f ? std::min(word, 65535.0f) : 0.0f);
  });
  return words;
}

float encodedSrgb(float light) {
  const float v = light > 0.0f ? std::min(light, 1.0f) : 0.0f;
  return v <= 0.0031308f ? 12.92f * v : 1.055f * std::pow(v, 1.0f / 2.4f) - 0.055f;
}

std::string pngOf(Layer layer, const LayerImage& image, std::vector<ImageText> texts) {
  if (layer == Layer::colour) {
    Plane rgb = interleaved(image.planes);
    std::ranges::transform(rgb, rgb.begin(), encodedSrgb);
    return encodePng(quantised(rgb, 0.0f, 65535.0f).data(), image.size, 16, texts);
  }
  const Plane& values = image.planes[0];
  const bool depth = layer == Layer::depth;
  float largest = depth ? 1e-6f : 1.0f;
  for (const float value : values)
    if (std::isfinite(value)) largest = std::max(largest, std::abs(value));
  const float scale = (depth ? 65535.0f : 32767.0f) / largest, zero = depth ? 0.0f : 32768.0f;
  if (depth)
    texts.push_back({kDepthKeyword, std::string(R"({"metres": "scale / value", "scale": )")
                                        .append(exact(scale * image.nearM))
                                        .append(R"(, "infinite": 0})")});
  else
    texts.push_back(
        {kCocKeyword,
         std::string(R"({"pixels": "(value - 32768) / scale", "scale": )").append(exact(scale)).append("}")});
  return encodePng(quantised(values, zero, scale).data(), image.size, 16, texts, 1);
}

}  // namespace

std::span<const LayerRow> layers() { return kLayers; }

std::vector<Layer> parseLayers(const std::string& where, const std::string& text) {
  std::vector<Layer> found;
  std::string name;
  for (std::istringstream names(text); std::getline(names, name, ',');) {
    const auto* const row =
        std::ranges::find_if(kLayers, [&](const LayerRow& layer) { return name == layer.name; });
    if (row == kLayers.end())
      throw UsageError(where + " " + text + ": \"" + name + "\" is no layer; expected colour, depth, coc");
    if (std::ranges::find(found, row->layer) == found.end()) found.push_back(row->layer);
  }
  if (found.empty()) throw UsageError(where + ": expected colour, depth, coc, separated by commas");
  return found;
}

std::filesystem::path layerPath(const std::filesystem::path& image, Layer layer) {
  return image.parent_path() / (image.stem().string() + "-" + rowOf(layer).name + image.extension().string());
}

void requireLayerFormat(const std::filesystem::path& image, Layer layer) {
  if (imageFormat(image) == ImageFormat::jpeg)
    throw UsageError("cannot write " + layerPath(image, layer).string() +
                     ": .jpg holds no layer; expected a name ending in .exr, .pfm or .png");
  if (imageFormat(image) == ImageFormat::hdr && layer != Layer::colour)
    throw UsageError("cannot write " + layerPath(image, layer).string() +
                     ": .hdr holds colours only; expected a name ending in .exr, .pfm or .png");
}

std::string encodeLayer(Layer layer, ImageFormat format, const LayerImage& image,
                        std::vector<ImageText> texts) {
  if (format == ImageFormat::exr) return exrOf(layer, image, std::move(texts));
  if (format == ImageFormat::png) return pngOf(layer, image, std::move(texts));
  if (layer == Layer::colour) return encodeLinear(format, interleaved(image.planes), image.size, texts);
  const Plane& values = image.planes[0];
  return encodeFloatMap(layer == Layer::depth ? metres(values, image.nearM) : values, image.size, 1);
}

}  // namespace satdof
