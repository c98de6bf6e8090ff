#include "app/io/formats/stb_guard.h"

#include <stb_image.h>

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <string>

#include "app/io/codec.h"
#include "app/io/formats/jpeg.h"

namespace satdof {

namespace {

// PGM and PPM: throws if a number in the header does not fit into an int.
void requireSmallNumbers(std::string_view bytes) {
  constexpr int kMaxDigits = 9, kNumbers = 3;
  std::size_t at = 2;
  for (int number = 0; number < kNumbers && at < bytes.size();) {
    const auto isDigit = [&] { return at < bytes.size() && std::isdigit(static_cast<unsigned char>(bytes[at])) != 0; };
    if (bytes[at] == '#') {
      while (at < bytes.size() && bytes[at] != '\n' && bytes[at] != '\r') ++at;
    } else if (!isDigit()) {
      ++at;
    } else {
      const std::size_t from = at;
      while (isDigit()) ++at;
      if (at - from > kMaxDigits) throw std::runtime_error("a number of its header is too large");
      ++number;
    }
  }
}

std::string_view takeLine(std::string_view& bytes) {
  const std::size_t end = std::min(bytes.find('\n'), bytes.size());
  const std::string_view line = bytes.substr(0, end);
  bytes.remove_prefix(std::min(end + 1, bytes.size()));
  return line;
}

// Radiance: throws unless the runs of every scanline are complete. At the end of the file, stb_image would read empty
// runs forever.
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
    if (first != 2 || second != 2 || high > 127) return;  // the rest has no runs
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

// Returns the name of a known format that no codec reads; null if the format is unknown.
const char* unreadFormat(std::string_view bytes) {
  using namespace std::string_view_literals;
  struct Format {
    std::string_view begins;
    const char* name;
    std::size_t at = 0;
  };
  static constexpr Format kFormats[] = {{"\xff\x0a"sv, "JPEG XL"},
                                        {"JXL "sv, "JPEG XL", 4},
                                        {"jP  "sv, "JPEG 2000", 4},
                                        {"\xff\x4f\xff\x51"sv, "JPEG 2000"},
                                        {"qoif"sv, "QOI"},
                                        {"DDS "sv, "DDS"},
                                        {"KTX "sv, "KTX", 1},
                                        {"gimp xcf"sv, "XCF"},
                                        {"\0\0\1\0"sv, "an icon"},
                                        {"<svg"sv, "SVG"},
                                        {"<?xml"sv, "XML"},
                                        {"%PDF"sv, "PDF"},
                                        {"\x93NUMPY"sv, "NumPy"},
                                        {"\x89HDF"sv, "HDF5"},
                                        {"MATLAB"sv, "MATLAB"},
                                        {"SIMPLE  ="sv, "FITS"},
                                        {"ftypcrx"sv, "a raw file of a camera", 4},
                                        {"FUJIFILMCCD-RAW"sv, "a raw file of a camera"}};
  for (const auto& [begins, name, at] : kFormats)
    if (bytes.size() > at && bytes.substr(at).starts_with(begins)) return name;
  return nullptr;
}

}  // namespace

void requireSafeForStb(std::string_view bytes) {
  if (bytes.starts_with('\xff')) requireSoundTables(bytes);
  if (bytes.starts_with("P5") || bytes.starts_with("P6")) requireSmallNumbers(bytes);
  if (bytes.starts_with("#?")) requireWholeRuns(bytes);
}

std::runtime_error stbError(std::string_view bytes) {
  const char* const reason = stbi_failure_reason();
  const std::string text = reason == nullptr || *reason == '\0' ? "unknown reason" : reason;
  const bool unknown = text == "unknown image type" || text.starts_with("Image not of any known type");
  if (const Codec* const codec = codecByContent(bytes); unknown && codec != nullptr)
    return std::runtime_error("it is damaged, or a kind of " + std::string(codec->name) +
                              " that is not read; read are: " + codec->about.read);
  if (const char* const name = unreadFormat(bytes); unknown && name != nullptr)
    return std::runtime_error(std::string(name) + " is not read: convert it to PNG, TIFF or EXR");
  if (unknown)
    return std::runtime_error("it is no image, or of an unknown format; " +
                              codecNames([](const Codec&) { return true; }, "and") + " can be read");
  return std::runtime_error("the image is damaged: " + text);
}

}  // namespace satdof
