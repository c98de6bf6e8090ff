#include "app/io/formats/pfm.h"

#include <bit>
#include <cctype>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <utility>

#include "app/core/text/formatted.h"
#include "app/io/codecs/rows.h"
#include "app/io/codecs/samples.h"
#include "app/io/formats/map_header.h"
#include "app/io/image_file.h"

namespace satdof {

namespace {

bool isPfm(std::string_view bytes) {
  return bytes.size() > 2 && bytes[0] == 'P' && (bytes[1] == 'F' || bytes[1] == 'f') &&
         std::isspace(static_cast<unsigned char>(bytes[2])) != 0;
}

struct Header {
  glm::ivec2 size{0};
  int channels = 1;
  float scale = 1.0f;  // negative: little endian
  std::string_view body;
};

Header readHeader(std::string_view bytes) {
  MapHeader words(bytes);
  Header header;
  header.channels = words.word() == "PF" ? 3 : 1;
  header.size.x = words.number<int>("width");
  header.size.y = words.number<int>("height");
  header.scale = words.number<float>("scale");
  if (header.scale == 0.0f) throw std::runtime_error("its header has the scale 0: no byte order");
  header.body = words.body();
  return header;
}

Picture pictureOf(std::string_view bytes, const FileLimits& limits) {
  const PfmImage image = decodePfm(bytes, limits);
  Picture picture{image.size, {}, false, image.notes};
  convertLight(picture, image.values.data(), image.channels);
  return picture;
}

DepthImage depthOf(std::string_view bytes, const FileLimits& limits) {
  PfmImage image = decodePfm(bytes, limits);
  DepthImage depth{.size = image.size, .notes = image.notes};
  const auto channels = static_cast<std::size_t>(image.channels);
  const auto same = [](float a, float b) { return a == b || (std::isnan(a) && std::isnan(b)); };
  for (std::size_t i = 0; i < image.values.size(); i += channels) {
    if (!same(image.values[i], image.values[i + channels / 2]) ||
        !same(image.values[i], image.values[i + channels - 1]))
      throw std::runtime_error("it is a colour image: depth needs one channel");
    image.values[i / channels] = image.values[i];
  }
  image.values.resize(image.values.size() / channels);
  depth.values = std::move(image.values);
  return depth;
}

std::string layerOf(Layer layer, const LayerImage& image, const std::vector<ImageText>&) {
  if (layer == Layer::colour) return encodePfm(interleaved(image.planes), image.size);
  const std::vector<float>& values = image.planes[0];
  return encodePfm(layer == Layer::depth ? metres(values, image.nearM) : values, image.size, 1);
}

}  // namespace

PfmImage decodePfm(std::string_view bytes, const FileLimits& limits) {
  const Header header = readHeader(bytes);
  PfmImage image{header.size, header.channels, {}};
  if (const float scale = std::abs(header.scale); scale != 1.0f)
    addNote(image.notes, formatted("the scale %g in its header is ignored", static_cast<double>(scale)));
  requireSize(image.size, limits, header.body.size(), 1.0 / (4.0 * image.channels));
  requireRoomToDecode(image.size, 4.0 * image.channels);
  image.values.resize(pixelCount(image.size) * static_cast<std::size_t>(image.channels));
  std::memcpy(image.values.data(), header.body.data(), image.values.size() * sizeof(float));
  if ((header.scale < 0.0f) != (std::endian::native == std::endian::little))
    for (float& value : image.values)
      value = std::bit_cast<float>(__builtin_bswap32(std::bit_cast<std::uint32_t>(value)));
  return image;
}

std::string encodePfm(const std::vector<float>& values, glm::ivec2 size, int channels) {
  const char* scale = std::endian::native == std::endian::little ? "-1.0" : "1.0";
  std::string bytes = channels == 1 ? "Pf\n" : "PF\n";
  bytes.append(std::to_string(size.x)).append(" ").append(std::to_string(size.y)).append("\n");
  bytes.append(scale).append("\n");
  return bytes.append(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(float));
}

Codec formats::pfm() {
  return {.name = "PFM",
          .extensions = {".pfm"},
          .begins = isPfm,
          .about = {"grey and colours, both byte orders, lines that end with CR LF"},
          .picture = pictureOf,
          .size = [](std::string_view head, const FileLimits&) { return readHeader(head).size; },
          .depth = depthOf,
          .oneChannel = [](std::string_view head) { return head[1] == 'f'; },
          .choices = {{"PFM", "Linear light, before exposure, 32-bit floats"}},
          .content = Content::light,
          .write = [](Pixels& pixels, const Metadata&,
                      const WriteOptions&) { return encodePfm(pixels.light, pixels.size); },
          .layer = layerOf};
}

}  // namespace satdof
