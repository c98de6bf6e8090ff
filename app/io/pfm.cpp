#include "app/io/pfm.h"

#include <bit>
#include <cctype>
#include <cstdint>
#include <cstring>
#include <stdexcept>

#include "app/io/map_header.h"

namespace satdof {

namespace {

struct Header {
  glm::ivec2 size{0};
  int channels = 1;
  bool littleEndian = false;
  std::string_view body;
};

Header readHeader(std::string_view bytes) {
  if (!isPfm(bytes)) throw std::runtime_error("it is no PFM");
  MapHeader words(bytes);
  Header header;
  header.channels = words.word() == "PF" ? 3 : 1;
  header.size.x = words.number<int>("width");
  header.size.y = words.number<int>("height");
  const auto scale = words.number<float>("scale");
  if (scale == 0.0f) throw std::runtime_error("its header has the scale 0: no byte order");
  header.littleEndian = scale < 0.0f;
  header.body = words.body();
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
  requireSize(image.size, limits, header.body.size(), 1.0 / (4.0 * image.channels));
  requireRoomToDecode(image.size, 4.0 * image.channels);
  image.values.resize(static_cast<size_t>(image.size.x) * static_cast<size_t>(image.size.y) *
                      static_cast<size_t>(image.channels));
  std::memcpy(image.values.data(), header.body.data(), image.values.size() * sizeof(float));
  if (header.littleEndian != (std::endian::native == std::endian::little))
    for (float& value : image.values)
      value = std::bit_cast<float>(__builtin_bswap32(std::bit_cast<std::uint32_t>(value)));
  return image;
}

}  // namespace satdof
