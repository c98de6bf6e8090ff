#pragma once
#include <filesystem>
#include <glm/vec2.hpp>
#include <span>
#include <string>
#include <vector>

#include "app/io/metadata/image_text.h"

namespace satdof {

// The inputs and the circle of confusion of the lens, for --export.
enum class Layer { colour, depth, coc };

// Parses names of layers, separated by commas. Throws UsageError; the message begins with `where`.
std::vector<Layer> parseLayers(const std::string& where, const std::string& text);

// Returns "image-reference.png" for "image.png" and "reference".
std::filesystem::path suffixedPath(const std::filesystem::path& path, const std::string& suffix);

// Returns the file of a layer: "image-depth.exr" for "image.exr".
std::filesystem::path layerPath(const std::filesystem::path& image, Layer layer);

// Throws UsageError if the format of `image` cannot hold the layer.
void requireLayerFormat(const std::filesystem::path& image, Layer layer);

// Channels and texts of the files. Reading depth from an EXR uses the first two: Z in metres has one more rounding.
inline constexpr const char* kInverseDepthChannel = "depth.Y";         // EXR: nearM / Z, exact; 0 at infinity
inline constexpr const char* kNearKeyword = "satdof-near-m";           // EXR: nearM in metres, exact
inline constexpr const char* kCorrectedKeyword = "satdof-corrected";   // EXR: DepthImage::corrected
inline constexpr const char* kPaintedOnKeyword = "satdof-painted-on";  // EXR: DepthImage::paintedOn
inline constexpr const char* kDepthKeyword = "satdof-depth";           // PNG: encoding of the integers, as JSON
inline constexpr const char* kCocKeyword = "satdof-coc";               // PNG: encoding of the integers, as JSON

// The values of one layer for Codec::layer, bottom row first. colour: four planes, linear RGBA, exact as half floats.
// depth: one plane, nearM / Z, 0 at infinity. coc: one plane, signed radius of the circle of confusion in pixels,
// negative in front of the focus plane.
struct LayerImage {
  glm::ivec2 size{0};
  float nearM = 0.1f;
  std::vector<std::vector<float>> planes;
};

// Contents of the files by format:
// EXR  colour: R, G, B, A (half); depth: Z in metres and kInverseDepthChannel (float); coc: coc.Y (float)
// PFM  colour; depth in metres, infinite in the sky; coc in pixels
// HDR  colour only
// PNG  16 bits. colour: sRGB, light above 1 clipped. depth: grey, value = scale / Z, 0 at infinity. coc: grey,
//      value = 32768 + scale * radius. The text states the scale.

}  // namespace satdof
