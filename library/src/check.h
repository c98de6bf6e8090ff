#pragma once
#include <charconv>
#include <stdexcept>
#include <string>
#include <string_view>

#include "satdof/cpu.h"

namespace satdof::cpu {

// Appends a number or text. Without streams: their locale would be shared with other copies of the C++
// library in a Python process.
template <class Word>
void append(std::string& text, const Word& word) {
  if constexpr (std::is_arithmetic_v<Word>) {
    char digits[32];
    text.append(digits, std::to_chars(std::begin(digits), std::end(digits), word).ptr);
  } else {
    text += word;
  }
}

// Throws std::invalid_argument unless `holds`. The message: all words, one after the other.
template <class... Words>
void require(bool holds, const Words&... words) {
  if (holds) return;
  std::string text;
  (append(text, words), ...);
  throw std::invalid_argument(text);
}

template <class T>
void requireImage(const Image<T>& image, const char* name) {
  require(image.data != nullptr, name, " has no data");
  require(image.width > 0 && image.height > 0 && image.channels > 0, name, " is empty: ", image.width, " x ",
          image.height, " pixels of ", image.channels, " channels");
  require(static_cast<std::int64_t>(image.width) * image.height < (std::int64_t{1} << 31), name, " has ", image.width,
          " x ", image.height, " pixels: the limit is 2^31 - 1");
}

// Throws std::invalid_argument unless `image` has the size of `of`, larger by `more` in both directions.
// channels: -1 for the channels of `of`.
template <class T, class U>
void requireSize(const Image<T>& image, const char* name, const Image<U>& of, const char* ofName, int more = 0,
                 int channels = -1) {
  requireImage(image, name);
  require(image.width - more == of.width && image.height - more == of.height, name, " has ", image.width, " x ",
          image.height, " pixels, but ", ofName, " has ", of.width, " x ", of.height,
          more ? ": give one more column and row" : "");
  const int wanted = channels < 0 ? of.channels : channels;
  require(image.channels == wanted, name, " has ", image.channels, " channels instead of ", wanted);
}

template <class T>
void requireMask(const Mask<T>& mask, int channels) {
  constexpr int kMaxSide = 63;
  const int sides[] = {mask.width, mask.height};
  require(channels <= 4, "a convolution has 1 to 4 channels, not ", channels);
  for (const int side : sides)
    require(side % 2 == 1 && side >= 1 && side <= kMaxSide, "the mask has ", mask.width, " x ", mask.height,
            " weights: give odd sides up to ", kMaxSide);
  require(mask.weights.size() == static_cast<std::size_t>(mask.width) * static_cast<std::size_t>(mask.height),
          "the mask has ", mask.weights.size(), " weights instead of ", mask.width, " x ", mask.height);
}

inline void requireRadius(float radius, Border border) {
  require(radius >= 0.0f, "a radius must be 0 or more, not ", radius);
  require(border == Border::inside || radius <= kMaxRadius, "the radius ", radius, " is above ", kMaxRadius,
          ", the most with this border");
}

inline void requireScatterRadius(float radius) {
  requireRadius(radius, Border::inside);
  require(radius <= kMaxRadius, "the radius ", radius, " is above ", kMaxRadius);
}

// `most`: cpu::kMaxTentRadius of the pixel type.
inline void requireTentRadius(float radius, float most) {
  requireRadius(radius, Border::inside);
  require(radius <= most, "the radius ", radius, " is above ", most,
          ", the most of a tent over pixels of this type: its sums have 64 bits");
}

}  // namespace satdof::cpu
