#include <algorithm>
#include <cctype>
#include <charconv>
#include <cstdint>
#include <stdexcept>

#include "app/io/codecs/rows.h"
#include "app/io/codecs/samples.h"
#include "app/io/map_header.h"

namespace satdof::formats {

namespace {

// A portable grey map or pixel map, as text (P2, P3) or binary (P5, P6).
struct PnmImage {
  glm::ivec2 size{0};
  int channels = 1;   // 3: red, green and blue
  int largest = 255;  // number of white: 1 to 65535; from 256 on, binary samples have two bytes
  std::vector<std::uint16_t> samples;  // from 0 to `largest`, bottom row first
};

bool isPnm(std::string_view bytes) {
  constexpr std::string_view kKinds = "2356";
  return bytes.size() > 2 && bytes[0] == 'P' && kKinds.find(bytes[1]) != kKinds.npos &&
         std::isspace(static_cast<unsigned char>(bytes[2])) != 0;
}

bool isText(std::string_view bytes) { return bytes[1] < '4'; }

PnmImage readHeader(std::string_view bytes, std::string_view& body) {
  MapHeader header(bytes);
  PnmImage image;
  image.channels = bytes[1] == '2' || bytes[1] == '5' ? 1 : 3;
  header.word();
  image.size.x = header.number<int>("width");
  image.size.y = header.number<int>("height");
  image.largest = header.number<int>("largest number");
  if (image.largest < 1 || image.largest > 65535)
    throw std::runtime_error("its largest number is " + std::to_string(image.largest) +
                             ", at most 65535 is read");
  body = header.body();
  return image;
}

int takeNumber(std::string_view& text) {
  const auto isSpace = [](char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; };
  text.remove_prefix(static_cast<size_t>(std::ranges::find_if_not(text, isSpace) - text.begin()));
  int value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || value < 0)
    throw std::runtime_error(text.empty() ? "it is truncated: the end of its pixels is missing"
                                          : "one of its samples is no number");
  text.remove_prefix(static_cast<size_t>(end - text.data()));
  return value;
}

PnmImage decodePnm(std::string_view bytes, const FileLimits& limits) {
  std::string_view body;
  PnmImage image = readHeader(bytes, body);
  const bool text = isText(bytes), wide = image.largest > 255;
  requireSize(image.size, limits, text ? body.size() + 1 : body.size(),
              1.0 / (image.channels * (text || wide ? 2 : 1)));
  const size_t stride = static_cast<size_t>(image.size.x) * static_cast<size_t>(image.channels);
  image.samples.resize(stride * static_cast<size_t>(image.size.y));
  const auto byteAt = [&](size_t i) { return static_cast<unsigned>(static_cast<unsigned char>(body[i])); };
  size_t at = 0;
  for (size_t row = static_cast<size_t>(image.size.y); row-- > 0;)
    for (size_t x = 0; x < stride; ++x, ++at) {
      const unsigned value = text   ? static_cast<unsigned>(takeNumber(body))
                             : wide ? byteAt(2 * at) << 8 | byteAt(2 * at + 1)
                                    : byteAt(at);
      image.samples[row * stride + x] =
          static_cast<std::uint16_t>(std::min(value, static_cast<unsigned>(image.largest)));
    }
  return image;
}

glm::ivec2 sizeOf(std::string_view head, const FileLimits&) {
  std::string_view body;
  return readHeader(head, body).size;
}

Picture pictureOf(std::string_view bytes, const FileLimits& limits) {
  PnmImage image = decodePnm(bytes, limits);
  const auto largest = static_cast<unsigned>(image.largest);
  for (std::uint16_t& sample : image.samples)
    sample = static_cast<std::uint16_t>((sample * 65535u + largest / 2) / largest);
  Picture picture{image.size, {}, true, {}};
  convert(picture, image.samples.data(), image.channels);
  return picture;
}

DepthImage depthOf(std::string_view bytes, const FileLimits& limits) {
  const PnmImage image = decodePnm(bytes, limits);
  DepthImage depth{.size = image.size};
  takeGrey(depth, image.samples.data(), image.channels, static_cast<float>(image.largest));
  return depth;
}

}  // namespace

Codec pnm() {
  return {.name = "PNM",
          .extensions = {".ppm", ".pgm", ".pnm"},
          .begins = isPnm,
          .picture = pictureOf,
          .size = sizeOf,
          .depth = depthOf};
}

}  // namespace satdof::formats
