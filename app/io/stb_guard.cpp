#include "app/io/stb_guard.h"

#include <stb_image.h>

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <stdexcept>
#include <string>

#include "app/io/codec.h"
#include "app/io/jpeg.h"

namespace satdof {

namespace {

// PGM and PPM: numbers of the header that fit into an int.
void requireSmallNumbers(std::string_view bytes) {
  constexpr int kMostDigits = 9, kNumbers = 3;
  size_t at = 2;
  for (int number = 0; number < kNumbers && at < bytes.size();) {
    const auto isDigit = [&] {
      return at < bytes.size() && std::isdigit(static_cast<unsigned char>(bytes[at])) != 0;
    };
    if (bytes[at] == '#') {
      while (at < bytes.size() && bytes[at] != '\n' && bytes[at] != '\r') ++at;
    } else if (!isDigit()) {
      ++at;
    } else {
      const size_t from = at;
      while (isDigit()) ++at;
      if (at - from > kMostDigits) throw std::runtime_error("a number of its header is too large");
      ++number;
    }
  }
}

std::string_view takeLine(std::string_view& bytes) {
  const size_t end = std::min(bytes.find('\n'), bytes.size());
  const std::string_view line = bytes.substr(0, end);
  bytes.remove_prefix(std::min(end + 1, bytes.size()));
  return line;
}

// Radiance: runs until every scanline has its pixels. At the end of the file stb_image would read empty runs for ever.
void requireWholeRuns(std::string_view bytes) {
  constexpr int kNarrowest = 8, kWidest = 32767;  // of scanlines with runs
  for (std::string_view line = takeLine(bytes); !line.empty() && line[0] != '\0';) line = takeLine(bytes);
  int width = 0, height = 0;
  const std::string resolution(takeLine(bytes).substr(0, 100));
  if (std::sscanf(resolution.c_str(), "-Y %9d +X %9d", &height, &width) != 2)
    throw std::runtime_error("its header has no size");
  if (width < kNarrowest || width > kWidest) return;
  const auto take = [&] {
    if (bytes.empty()) throw std::runtime_error("it is truncated: the end of its pixels is missing");
    const auto value = static_cast<unsigned char>(bytes[0]);
    bytes.remove_prefix(1);
    return static_cast<int>(value);
  };
  for (int row = 0; row < height; ++row) {
    const int first = take(), second = take(), high = take(), low = take();
    if (first != 2 || second != 2 || high > 127) return;  // without runs from here on
    if (high * 256 + low != width) return;                // stb_image refuses it
    for (int channel = 0; channel < 4; ++channel)
      for (int left = width; left > 0;) {
        constexpr int kLongestDump = 128;
        const int count = take();
        const int pixels = count > kLongestDump ? count - kLongestDump : count;
        if (pixels > left) return;  // stb_image refuses it
        for (int values = count > kLongestDump ? 1 : count; values > 0; --values) take();
        left -= pixels;
      }
  }
}

}  // namespace

void requireSafeForStb(std::string_view bytes) {
  if (bytes.starts_with('\xff')) requireSoundTables(bytes);
  if (bytes.starts_with("P5") || bytes.starts_with("P6")) requireSmallNumbers(bytes);
  if (bytes.starts_with("#?")) requireWholeRuns(bytes);
}

std::runtime_error stbError(std::string_view bytes) {
  const char* const reason = stbi_failure_reason();
  const std::string text = reason == nullptr ? "unknown reason" : reason;
  const bool unknown = text == "unknown image type" || text.starts_with("Image not of any known type");
  if (const Codec* const codec = codecOf(bytes); unknown && codec != nullptr)
    return std::runtime_error("it is damaged, or a kind of " + std::string(codec->name) +
                              " that is not read; read are: " + codec->about.read);
  if (unknown)
    return std::runtime_error("it is no image, or of an unknown format; " +
                              codecNames([](const Codec&) { return true; }, "and") + " can be read");
  return std::runtime_error("the image is damaged: " + text);
}

}  // namespace satdof
