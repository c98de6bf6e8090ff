#pragma once
#include <filesystem>
#include <glm/vec2.hpp>
#include <span>
#include <string>
#include <vector>

#include "app/io/image_text.h"

namespace satdof {

// What a drawn image consists of before the lens, for --export.
enum class Layer { colour, depth, coc };

// Reads names of layers, separated by commas. Throws UsageError, which begins with `where`.
std::vector<Layer> parseLayers(const std::string& where, const std::string& text);

// "image.png", "reference" -> "image-reference.png".
std::filesystem::path suffixedPath(const std::filesystem::path& path, const std::string& suffix);

// "image.exr" -> "image-depth.exr".
std::filesystem::path layerPath(const std::filesystem::path& image, Layer layer);

// Throws UsageError if the format of `image` cannot hold the layer.
void requireLayerFormat(const std::filesystem::path& image, Layer layer);

// Channels and texts of the files. Reading an EXR of depth needs both: Z in metres is rounded once more.
inline constexpr const char* kInverseDepthChannel = "depth.Y";  // nearM / Z as drawn, exact; 0 at infinity
inline constexpr const char* kNearKeyword = "satdof-near-m";    // EXR: nearM in metres, exact
inline constexpr const char* kCorrectedKeyword = "satdof-corrected";  // EXR: DepthImage::corrected
inline constexpr const char* kDepthKeyword = "satdof-depth";          // PNG: what the integers mean, as JSON
inline constexpr const char* kCocKeyword = "satdof-coc";              // PNG: the same

// The values of one layer, bottom row first, for Codec::layer. colour: red, green, blue, alpha in linear light, exact as half
// floats. depth: nearM / Z, 0 at infinity. coc: signed radius of the circle of confusion in pixels, negative
// in front of the focus plane.
struct LayerImage {
  glm::ivec2 size{0};
  float nearM = 0.1f;
  std::vector<std::vector<float>> planes;
};

// What the files hold:
// EXR  colour R, G, B, A (half); depth Z in metres and kInverseDepthChannel (float); coc coc.Y (float)
// PFM  colour; depth in metres, infinite in the sky; coc in pixels
// HDR  colour only
// PNG  16 bits. colour: sRGB, light above 1 clipped. depth: grey, value = scale / Z, 0 at infinity. coc: grey,
//      value = 32768 + scale * radius. The text states the scale.

}  // namespace satdof
