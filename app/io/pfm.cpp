#include "app/io/pfm.h"

#include <algorithm>
#include <bit>
#include <cctype>
#include <charconv>
#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <string>

namespace satdof {

namespace {

struct Header {
  glm::ivec2 size{0};
  int channels = 1;
  bool littleEndian = false;
  size_t bytes = 0;  // of the header
};

// Takes the next word and the one white space after it.
std::string_view takeWord(std::string_view& rest) {
  const auto space = [](char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; };
  rest.remove_prefix(static_cast<size_t>(std::ranges::find_if_not(rest, space) - rest.begin()));
  const auto word = rest.substr(0, static_cast<size_t>(std::ranges::find_if(rest, space) - rest.begin()));
  rest.remove_prefix(std::min(word.size() + 1, rest.size()));
  return word;
}

template <class T>
T number(std::string_view word, const char* what) {
  T value{};
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (error != std::errc{} || end != word.data() + word.size())
    throw std::runtime_error(std::string("its header has no ") + what);
  return value;
}

Header readHeader(std::string_view bytes) {
  if (!isPfm(bytes)) throw std::runtime_error("it is no PFM");
  Header header;
  std::string_view rest = bytes.substr(0, 256);
  header.channels = takeWord(rest) == "PF" ? 3 : 1;
  header.size.x = number<int>(takeWord(rest), "width");
  header.size.y = number<int>(takeWord(rest), "height");
  const auto scale = number<float>(takeWord(rest), "scale");
  if (scale == 0.0f) throw std::runtime_error("its header has the scale 0: no byte order");
  header.littleEndian = scale < 0.0f;
  header.bytes = std::min<size_t>(bytes.size(), 256) - rest.size();
  return header;
}

}  // namespace

bool isPfm(std::string_view bytes) {
  return bytes.size() > 2 && bytes[0] == 'P' && (bytes[1] == 'F' || bytes[1] == 'f') &&
         std::isspace(static_cast<unsigned char>(bytes[2])) != 0;
}

PfmImage decodePfmHeader(std::string_view bytes) {
  const Header header = readHeader(bytes);
  return {header.size, header.channels, {}};
}

PfmImage decodePfm(std::string_view bytes, const FileLimits& limits) {
  const Header header = readHeader(bytes);
  PfmImage image{header.size, header.channels, {}};
  const auto body = bytes.substr(header.bytes);
  requireSize(image.size, limits, body.size(), 1.0 / (4.0 * image.channels));
  image.values.resize(static_cast<size_t>(image.size.x) * static_cast<size_t>(image.size.y) *
                      static_cast<size_t>(image.channels));
  std::memcpy(image.values.data(), body.data(), image.values.size() * sizeof(float));
  if (header.littleEndian != (std::endian::native == std::endian::little))
    for (float& value : image.values)
      value = std::bit_cast<float>(__builtin_bswap32(std::bit_cast<std::uint32_t>(value)));
  return image;
}

}  // namespace satdof
