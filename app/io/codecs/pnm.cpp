#include <algorithm>
#include <array>
#include <cctype>
#include <cstdint>
#include <stdexcept>

#include "app/core/text/number.h"
#include "app/io/codecs/rows.h"
#include "app/io/codecs/samples.h"
#include "app/io/formats/map_header.h"

namespace satdof::formats {

namespace {

// How samples are stored: bits (P4), digits 0 and 1 (P1), decimal text (P2, P3), or binary numbers of one or two bytes
// (P5 to P7).
enum class Coding { bits, digits, text, binary };

// A portable bitmap, grey map, pixel map or arbitrary map.
struct PnmImage {
  glm::ivec2 size{0};
  Coding coding = Coding::binary;
  int channels = 1;                      // grey, grey and alpha, RGB, RGBA
  int largest = 255;                     // value of white, 1 to 65535; above 255, binary samples have two bytes
  std::vector<std::uint16_t> samples{};  // from 0 to `largest`, bottom row first

  double mostPixelsPerByte() const {
    const double each = largest > 255 ? 2.0 : 1.0;
    return coding == Coding::bits     ? 8.0
           : coding == Coding::digits ? 1.0
                                      : 1.0 / (channels * (coding == Coding::text ? 2.0 : each));
  }
};

bool isPnm(std::string_view bytes) {
  return bytes.size() > 2 && bytes[0] == 'P' && bytes[1] >= '1' && bytes[1] <= '7' &&
         std::isspace(static_cast<unsigned char>(bytes[2])) != 0;
}

void readArbitraryHeader(MapHeader& header, PnmImage& image) {
  constexpr int kMaxWords = 100;
  image.channels = 0;
  std::string_view key;
  for (int i = 0; i < kMaxWords && key != "ENDHDR"; ++i) {
    key = header.word();
    if (key == "WIDTH") image.size.x = header.number<int>("width");
    if (key == "HEIGHT") image.size.y = header.number<int>("height");
    if (key == "DEPTH") image.channels = header.number<int>("depth");
    if (key == "MAXVAL") image.largest = header.number<int>("largest number");
  }
  if (key != "ENDHDR") throw std::runtime_error("its header has no end: no ENDHDR");
  if (image.channels < 1 || image.channels > 4)
    throw std::runtime_error("it has " + std::to_string(image.channels) + " channels; 1 to 4 are read");
}

PnmImage readHeader(std::string_view bytes, std::string_view& body) {
  constexpr std::array kCodings = {Coding::digits, Coding::text,   Coding::text,  Coding::bits,
                                   Coding::binary, Coding::binary, Coding::binary};
  MapHeader header(bytes);
  const char kind = bytes[1];
  PnmImage image{.coding = kCodings[static_cast<std::size_t>(kind - '1')]};
  image.channels = kind == '3' || kind == '6' ? 3 : 1;
  header.word();
  if (kind == '7') {
    readArbitraryHeader(header, image);
  } else {
    image.size.x = header.number<int>("width");
    image.size.y = header.number<int>("height");
    const bool bitmap = kind == '1' || kind == '4';
    image.largest = bitmap ? 1 : header.number<int>("largest number");
  }
  if (image.largest < 1 || image.largest > 65535)
    throw std::runtime_error("its largest number is " + std::to_string(image.largest) + ", at most 65535 is read");
  body = header.body();
  return image;
}

int takeSample(std::string_view& text) {
  const auto isSpace = [](char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; };
  text.remove_prefix(static_cast<std::size_t>(std::ranges::find_if_not(text, isSpace) - text.begin()));
  if (text.empty()) throw std::runtime_error("it is truncated: the end of its pixels is missing");
  const auto value = takeNumber<int>(text);
  if (!value || *value < 0) throw std::runtime_error("one of its samples is no number");
  return *value;
}

// Takes a digit of a bitmap after blanks. Returns 0 for black, which is the digit 1.
int takeDigit(std::string_view& text) {
  const std::size_t at = text.find_first_not_of(" \t\r\n\v\f");
  if (at == text.npos) throw std::runtime_error("it is truncated: the end of its pixels is missing");
  const char digit = text[at];
  if (digit != '0' && digit != '1') throw std::runtime_error("one of its samples is no number");
  text.remove_prefix(at + 1);
  return '1' - digit;
}

PnmImage decodePnm(std::string_view bytes, const FileLimits& limits) {
  std::string_view body;
  PnmImage image = readHeader(bytes, body);
  const bool wide = image.largest > 255, text = image.coding == Coding::text;
  requireSize(image.size, limits, text ? body.size() + 1 : body.size(), image.mostPixelsPerByte());
  const std::size_t rowBytes = (static_cast<std::size_t>(image.size.x) + 7) / 8;  // of a bitmap
  if (image.coding == Coding::bits && body.size() / rowBytes < static_cast<std::size_t>(image.size.y))
    throw std::runtime_error("it is truncated: the end of its pixels is missing");
  const std::size_t stride = static_cast<std::size_t>(image.size.x) * static_cast<std::size_t>(image.channels);
  image.samples.resize(stride * static_cast<std::size_t>(image.size.y));
  const auto byteAt = [&](std::size_t i) { return static_cast<unsigned>(static_cast<unsigned char>(body[i])); };
  const auto next = [&](std::size_t at, std::size_t rowFromTop, std::size_t x) {
    switch (image.coding) {
      case Coding::bits:
        return ~byteAt(rowFromTop * rowBytes + x / 8) >> (7 - x % 8) & 1u;
      case Coding::digits:
        return static_cast<unsigned>(takeDigit(body));
      case Coding::text:
        return static_cast<unsigned>(takeSample(body));
      default:
        return wide ? byteAt(2 * at) << 8 | byteAt(2 * at + 1) : byteAt(at);
    }
  };
  std::size_t at = 0, fromTop = 0;
  for (std::size_t row = static_cast<std::size_t>(image.size.y); row-- > 0; ++fromTop)
    for (std::size_t x = 0; x < stride; ++x, ++at) {
      const unsigned value = next(at, fromTop, x);
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
          .extensions = {".ppm", ".pgm", ".pnm", ".pbm", ".pam"},
          .begins = isPnm,
          .about = {"bitmaps, grey and colours as text or binary (P1 to P6), numbers up to 65535; PAM (P7) of 1 to 4 "
                    "channels",
                    "transparent pixels: blended over black"},
          .picture = pictureOf,
          .size = sizeOf,
          .depth = depthOf};
}

}  // namespace satdof::formats
