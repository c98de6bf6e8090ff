#pragma once
#include <glm/vec2.hpp>
#include <string>
#include <vector>

#include "app/core/pixels.h"
#include "app/io/codec.h"
#include "app/io/light.h"

// Conversions of decoded samples, bottom row first, for the codecs.
namespace satdof {

// Fills picture.rgba. `samples`: 1 to 4 channels a pixel, 8 or 16 bits, converted by the ICC profile; without one, sRGB, or
// v^(1 / gamma) where gamma is above 0.
template <class T>
void convert(Picture& picture, const T* samples, int channels, double gamma = 0.0,
             const std::string& icc = {});
// The same for four inks a pixel, from 0 for none. Without a profile, each ink takes its colour away: plain inks.
template <class T>
void convertCmyk(Picture& picture, const T* samples, const std::string& icc);
// The same for linear light of 1 or 3 channels.
void convertLight(Picture& picture, const float* samples, int channels);

// Takes the mean of the colours of 8 or 16 bits, which may differ as little as lossy formats and conversions of grey make
// them. Throws std::runtime_error with the reason if they differ by more.
template <class T>
void takeGrey(DepthImage& depth, const T* samples, int channels, float largest);

// "cannot encode an image of 3x2 as .png: libpng failed; try .pfm"
std::runtime_error encoderFailed(glm::ivec2 size, const char* extension, const char* why);

template <class T>
std::vector<T> topFirst(const std::vector<T>& rows, size_t rowValues) {
  std::vector<T> turned;
  turned.reserve(rows.size());
  for (size_t end = rows.size(); end > 0; end -= rowValues)
    turned.insert(turned.end(), rows.begin() + static_cast<std::ptrdiff_t>(end - rowValues),
                  rows.begin() + static_cast<std::ptrdiff_t>(end));
  return turned;
}

// Red, green and blue of three planes.
std::vector<float> interleaved(const std::vector<std::vector<float>>& planes);

// Metres of depth as LayerImage has it.
std::vector<float> metres(const std::vector<float>& depth, float nearM);

}  // namespace satdof
