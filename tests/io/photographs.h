#pragma once
#include <stb_image_write.h>

#include <cstdint>
#include <glm/vec2.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "tests/support/reason.h"

// Files that cameras write, made for tests.
namespace satdof::test {

using namespace std::string_view_literals;

// The file that a function of stb_image_write writes: writtenByStb(stbi_write_bmp_to_func, width, height, ...).
template <class Write, class... Arguments>
std::string writtenByStb(const Write& write, Arguments... arguments) {
  std::string bytes;
  const auto append = [](void* to, void* data, int count) {
    static_cast<std::string*>(to)->append(static_cast<const char*>(data), static_cast<std::size_t>(count));
  };
  write(append, &bytes, arguments...);
  return bytes;
}

// `samples`: top row first. Quality 100.
inline std::string jpegOf(const std::vector<std::uint8_t>& samples, glm::ivec2 size, int channels) {
  return writtenByStb(stbi_write_jpg_to_func, size.x, size.y, channels, samples.data(), 100);
}

inline std::string bigEndian(std::uint64_t value, int bytes) {
  std::string text;
  while (bytes-- > 0) text += static_cast<char>(value >> 8 * bytes & 0xff);
  return text;
}

inline std::string segment(unsigned char marker, std::string_view body) {
  std::string text("\xff");
  text += static_cast<char>(marker);
  return text.append(bigEndian(static_cast<std::uint32_t>(body.size() + 2), 2)).append(body);
}

// Inserts segments before the first segment of the JPEG.
inline std::string withSegments(const std::string& jpeg, const std::string& segments) {
  return jpeg.substr(0, 2).append(segments).append(jpeg.substr(2));
}

inline std::string exifWith(int orientation, bool little) {
  const auto number = [&](std::uint32_t value, int bytes) {
    std::string text = bigEndian(value, bytes);
    return little ? std::string(text.rbegin(), text.rend()) : text;
  };
  std::string exif = little ? "II" : "MM";
  exif.append(number(42, 2)).append(number(8, 4)).append(number(2, 2));
  exif.append(number(0x010f, 2)).append(number(2, 2)).append(number(4, 4)).append("cam\0"sv);
  exif.append(number(0x0112, 2)).append(number(3, 2)).append(number(1, 4));
  return exif.append(number(static_cast<std::uint32_t>(orientation), 2)).append(number(0, 2)).append(number(0, 4));
}

inline std::string exifSegment(int orientation, bool little) {
  return segment(0xe1, std::string("Exif\0\0"sv).append(exifWith(orientation, little)));
}

inline std::string base64(std::string_view bytes) {
  constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    std::uint32_t bits = 0;
    for (std::size_t j = 0; j < 3; ++j)
      bits = bits << 8 | (i + j < bytes.size() ? static_cast<unsigned char>(bytes[i + j]) : 0u);
    for (std::size_t j = 0; j < 4; ++j) text += i + j > bytes.size() ? '=' : kDigits[bits >> (18 - 6 * j) & 63];
  }
  return text;
}

inline constexpr std::string_view kGuid = "0123456789ABCDEF0123456789ABCDEF";

// The main packet, which names the extended one, and `extended` in segments of `part` bytes, last first.
inline std::string xmpSegments(const std::string& attributes, const std::string& extended, std::size_t part = 1000) {
  const auto packet = [](const std::string& inside) {
    return "<x:xmpmeta xmlns:x='adobe:ns:meta/'><rdf:RDF "
           "xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#'>"
           "<rdf:Description xmlns:GDepth='http://ns.google.com/photos/1.0/depthmap/'"
           " xmlns:GImage='http://ns.google.com/photos/1.0/image/'"
           " xmlns:xmpNote='http://ns.adobe.com/xmp/note/' " +
           inside + "/></rdf:RDF></x:xmpmeta>";
  };
  std::string main("http://ns.adobe.com/xap/1.0/\0"sv);
  main += packet(attributes + " xmpNote:HasExtendedXMP='" + std::string(kGuid) + "'");
  std::string segments = segment(0xe1, main);
  if (extended.empty()) return segments;
  const std::string whole = packet(extended);
  for (std::size_t parts = (whole.size() + part - 1) / part; parts-- > 0;) {
    std::string body("http://ns.adobe.com/xmp/extension/\0"sv);
    body.append(kGuid).append(bigEndian(static_cast<std::uint32_t>(whole.size()), 4));
    body.append(bigEndian(static_cast<std::uint32_t>(parts * part), 4)).append(whole.substr(parts * part, part));
    segments += segment(0xe1, body);
  }
  return segments;
}

}  // namespace satdof::test
