#include <stb_image_write.h>

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <string>

#include "app/io/codecs/rows.h"
#include "app/io/codecs/samples.h"
#include "app/io/codecs/stb.h"
#include "app/io/image_file.h"

namespace satdof {

namespace {

constexpr std::size_t kCommentBytes = 200;  // of text a line; readers have line buffers of about 1000 bytes

// Inserts each text after the first line as comment lines "# keyword: text". Line ends become spaces: JSON strings
// contain none.
std::string withComments(const std::string& hdr, const std::vector<ImageText>& texts) {
  std::string comments;
  for (ImageText text : texts) {
    std::ranges::replace(text.text, '\n', ' ');
    for (std::size_t at = 0; at < text.text.size(); at += kCommentBytes)
      comments.append("# ").append(text.keyword).append(": ").append(text.text, at, kCommentBytes).append("\n");
  }
  std::string result = hdr;
  return result.insert(result.find('\n') + 1, comments);
}

std::optional<std::string> hdrText(std::string_view bytes, std::string_view keyword) {
  const std::string start = std::string("# ").append(keyword).append(": ");
  std::optional<std::string> found;
  for (std::size_t end = bytes.find('\n'); end != bytes.npos && end > 0; end = bytes.find('\n')) {
    const auto line = bytes.substr(0, end);
    if (line.starts_with(start)) found = found.value_or("").append(line.substr(start.size()));
    bytes.remove_prefix(end + 1);
  }
  return found;
}

}  // namespace

std::string encodeHdr(const std::vector<float>& rgb, glm::ivec2 size, const std::vector<ImageText>& texts) {
  std::string bytes;
  std::vector<float> rows = topFirst(rgb, static_cast<std::size_t>(size.x) * 3);
  // stb_image_write encodes only positive values below 2^127 correctly.
  constexpr float kMax = 0x1.fep126f;
  for (float& value : rows) value = value > 0.0f ? std::min(value, kMax) : 0.0f;
  if (stbi_write_hdr_to_func(appendTo, &bytes, size.x, size.y, 3, rows.data()) == 0)
    throw encoderFailed(size, ".hdr", "stb_image_write");
  return withComments(bytes, texts);
}

Codec formats::hdr() {
  return {.name = "Radiance HDR",
          .extensions = {".hdr"},
          .begins = [](std::string_view head) { return head.starts_with("#?"); },
          .about = {"RGBE, as written or with run lengths", "", "exposure and primaries in the header"},
          .picture =
              [](std::string_view bytes, const FileLimits& limits) {
                Picture picture = pictureByStb(bytes, limits, {});
                const std::string_view header = bytes.substr(0, bytes.find("\n\n"));
                for (const std::string key : {"EXPOSURE", "COLORCORR", "PRIMARIES"}) {
                  const auto at = header.find("\n" + key + "=");
                  if (at == header.npos) continue;
                  const std::string value(header.substr(at + key.size() + 2, 40));
                  if (key != "EXPOSURE" || std::strtod(value.c_str(), nullptr) != 1.0)
                    addNote(picture.notes, key + " in its header is left out");
                }
                return picture;
              },
          .size = sizeByStb,
          .noDepth = "a Radiance HDR keeps 8 bits of depth: give a PNG or PFM",
          .isLight = true,
          .text = hdrText,
          .choices = {{"Radiance HDR", "Linear light, before exposure; contains the settings"}},
          .content = Content::light,
          .write = [](Pixels& pixels, const Metadata& metadata,
                      const WriteOptions&) { return encodeHdr(pixels.light, pixels.size, metadata.texts); },
          .layer =
              [](Layer, const LayerImage& image, const std::vector<ImageText>& texts) {
                return encodeHdr(interleaved(image.planes), image.size, texts);
              },
          .colourLayerOnly = true};
}

}  // namespace satdof
