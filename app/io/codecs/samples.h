#pragma once
#include <glm/vec2.hpp>
#include <string>
#include <vector>

#include "app/core/pixels.h"
#include "app/io/codec.h"
#include "app/io/light.h"

// Conversions of decoded samples, bottom row first.
namespace satdof {

// Sets picture.rgba from interleaved samples of 1 to 4 channels, 8 or 16 bits. Converts by the ICC profile; without
// one, decodes sRGB, or v^(1 / gamma) if gamma > 0.
template <class T>
void convert(Picture& picture, const T* samples, int channels, double gamma = 0.0, const std::string& icc = {});
// The same for CMYK, 0 for no ink. Without a profile: red = (1 - C) (1 - K), and so on.
template <class T>
void convertCmyk(Picture& picture, const T* samples, const std::string& icc);
// The same for CIE Lab of D50, as kLab. Throws std::runtime_error with the reason without Little CMS.
template <class T>
void convertLab(Picture& picture, const T* samples);
// The same for linear light of 1 or 3 channels.
void convertLight(Picture& picture, const float* samples, int channels);
// Adds a note on the number of NaN in colours, which become 0; none for 0.
void noteNaNs(Notes& notes, std::size_t count);

// Sets depth.values to the mean of the colour channels, 8 or 16 bits. Throws std::runtime_error with the reason if the
// channels differ by more than lossy compression of grey explains.
template <class T>
void takeGrey(DepthImage& depth, const T* samples, int channels, float largest);

// Returns the error "cannot encode an image of 3x2 as .png: libpng failed; try .pfm".
std::runtime_error encoderFailed(glm::ivec2 size, const char* extension, const char* why);

// Reverses the order of rows of `rowValues` values.
template <class T>
std::vector<T> topFirst(const std::vector<T>& rows, std::size_t rowValues) {
  std::vector<T> turned;
  turned.reserve(rows.size());
  for (std::size_t end = rows.size(); end > 0; end -= rowValues)
    turned.insert(turned.end(), rows.begin() + static_cast<std::ptrdiff_t>(end - rowValues),
                  rows.begin() + static_cast<std::ptrdiff_t>(end));
  return turned;
}

// Interleaves the first three planes to RGB.
std::vector<float> interleaved(const std::vector<std::vector<float>>& planes);

// Converts depth as stored in LayerImage, nearM / Z, to metres.
std::vector<float> metres(const std::vector<float>& depth, float nearM);

}  // namespace satdof
