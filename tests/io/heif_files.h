#pragma once
#include <libheif/heif.h>

#include <cmath>

#include <cstdint>
#include <glm/vec2.hpp>
#include <initializer_list>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "tests/io/photographs.h"

// HEIC and AVIF files, made by libheif's encoders for tests.
namespace satdof::test {

using namespace std::string_literals;

struct HeifFile {
  bool avif = false;
  int images = 1;  // all alike
  glm::ivec2 size{64, 64};
  int bits = 8;
  std::vector<std::uint16_t> rgb{};    // top row first
  bool grey = false;                   // luminance alone: one value a pixel in `rgb`
  bool fullRange = true;               // what the file says of its luminance
  std::vector<std::uint16_t> depth{};  // of the same size and as many bits; empty: none
  std::string subtypes{};              // representation of the depth, see depthMessage()
  heif_orientation orientation = heif_orientation_normal;
  std::string icc{}, exif{};
  heif_color_primaries primaries = heif_color_primaries_ITU_R_BT_709_5;
};

inline bool canEncode(bool avif) {
  return heif_have_encoder_for_format(avif ? heif_compression_AV1 : heif_compression_HEVC) != 0;
}

inline void requireOk(const heif_error& error) {
  if (error.code != heif_error_Ok) throw std::runtime_error(error.message);
}

// Inserts bytes at `at`: grows the enclosing boxes and adds the length to the offsets of all pixels, which follow.
// Works for files that libheif writes.
inline void insertInMeta(std::string& file, std::size_t at, const std::string& bytes) {
  const auto number = [&](std::size_t from, std::size_t count) {
    std::uint64_t value = 0;
    for (std::size_t i = 0; i < count; ++i) value = value << 8 | static_cast<unsigned char>(file[from + i]);
    return value;
  };
  const auto add = [&](std::size_t from, std::size_t count) {
    if (count > 0)
      file.replace(from, count,
                   bigEndian(static_cast<std::uint32_t>(number(from, count) + bytes.size()), static_cast<int>(count)));
  };
  const std::size_t iloc = file.find("iloc") + 4;
  const auto version = number(iloc, 1);
  const auto nibble = [&](std::size_t byte, int shift) {
    return static_cast<std::size_t>(number(byte, 1) >> shift & 15u);
  };
  const std::size_t offsetSize = nibble(iloc + 4, 4), lengthSize = nibble(iloc + 4, 0), baseSize = nibble(iloc + 5, 4);
  const std::size_t indexSize = version > 0 ? nibble(iloc + 5, 0) : 0;
  std::size_t item = iloc + 6 + 2;
  for (auto items = number(iloc + 6, 2); items > 0; --items) {
    const bool inFile = version == 0 || (number(item + 2, 2) & 15u) == 0;  // else inside the box idat
    item += version > 0 ? 2 + 2 + 2 : 2 + 2;                               // id, construction method, data reference
    const bool base = inFile && baseSize > 0 && number(item, baseSize) > 0;
    if (base) add(item, baseSize);
    item += baseSize;
    const auto extents = number(item, 2);
    item += 2;
    for (std::uint64_t i = 0; i < extents; ++i, item += indexSize + offsetSize + lengthSize)
      if (inFile && !base) add(item + indexSize, offsetSize);
  }
  for (const char* const box : {"auxC", "ipco", "iprp", "meta"}) add(file.find(box) - 4, 4);
  file.insert(at, bytes);
}

// Relabels the alpha channel of a file as depth. `subtypes`: the bytes that say what its numbers mean.
inline std::string withDepth(std::string file, bool avif, const std::string& subtypes) {
  const std::string alpha = avif ? "urn:mpeg:mpegB:cicp:systems:auxiliary:alpha" : "urn:mpeg:hevc:2015:auxid:1";
  const std::string depth = avif ? "urn:mpeg:mpegB:cicp:systems:auxiliary:depth" : "urn:mpeg:hevc:2015:auxid:2";
  const std::size_t at = file.find(alpha);
  if (at == file.npos) throw std::runtime_error("the file has no alpha channel");
  file.replace(at, alpha.size(), depth);
  if (!subtypes.empty()) insertInMeta(file, at + depth.size() + 1, subtypes);
  return file;
}

inline std::string heifOf(const HeifFile& from) {
  const bool alpha = !from.depth.empty(), deep = from.bits > 8;
  heif_context* const context = heif_context_alloc();
  heif_image* image = nullptr;
  const heif_chroma shallow = alpha ? heif_chroma_interleaved_RGBA : heif_chroma_interleaved_RGB;
  const heif_chroma deepChroma = alpha ? heif_chroma_interleaved_RRGGBBAA_LE : heif_chroma_interleaved_RRGGBB_LE;
  const heif_channel channel = from.grey ? heif_channel_Y : heif_channel_interleaved;
  requireOk(heif_image_create(from.size.x, from.size.y, from.grey ? heif_colorspace_monochrome : heif_colorspace_RGB,
                              from.grey ? heif_chroma_monochrome
                              : deep    ? deepChroma
                                        : shallow,
                              &image));
  requireOk(heif_image_add_plane(image, channel, from.size.x, from.size.y, from.bits));
  int stride = 0;
  std::uint8_t* const plane = heif_image_get_plane(image, channel, &stride);
  const std::size_t colours = from.grey ? 1 : 3, channels = colours + (alpha ? 1 : 0);
  for (int y = 0; y < from.size.y; ++y) {
    std::uint8_t* to = plane + y * stride;
    for (int x = 0; x < from.size.x; ++x) {
      const auto pixel = static_cast<std::size_t>(y * from.size.x + x);
      for (std::size_t c = 0; c < channels; ++c) {
        const unsigned value = c < colours ? from.rgb[colours * pixel + c] : from.depth[pixel];
        *to++ = static_cast<std::uint8_t>(value & 255u);
        if (deep) *to++ = static_cast<std::uint8_t>(value >> 8);
      }
    }
  }
  if (!from.icc.empty()) requireOk(heif_image_set_raw_color_profile(image, "prof", from.icc.data(), from.icc.size()));
  heif_color_profile_nclx* const nclx = heif_nclx_color_profile_alloc();
  nclx->color_primaries = from.primaries;
  nclx->transfer_characteristics = heif_transfer_characteristic_IEC_61966_2_1;
  nclx->matrix_coefficients = heif_matrix_coefficients_ITU_R_BT_601_6;
  nclx->full_range_flag = from.fullRange ? 1 : 0;
  requireOk(heif_image_set_nclx_color_profile(image, nclx));
  heif_encoder* encoder = nullptr;
  requireOk(
      heif_context_get_encoder_for_format(context, from.avif ? heif_compression_AV1 : heif_compression_HEVC, &encoder));
  if (from.avif) {
    heif_encoder_set_lossy_quality(encoder,
                                   98);  // lossless, libaom 3.6 writes beyond the end of small images
  } else {
    heif_encoder_set_lossless(encoder, 1);
  }
  heif_encoder_set_parameter_string(encoder, "chroma", from.avif ? "420" : "444");
  heif_encoding_options* const options = heif_encoding_options_alloc();
  options->image_orientation = from.orientation;
  options->macOS_compatibility_workaround_no_nclx_profile = 0;
  for (int further = 1; further < from.images; ++further)
    requireOk(heif_context_encode_image(context, image, encoder, options, nullptr));
  heif_image_handle* handle = nullptr;
  requireOk(heif_context_encode_image(context, image, encoder, options, &handle));
  if (!from.exif.empty())
    requireOk(heif_context_add_exif_metadata(context, handle, from.exif.data(), static_cast<int>(from.exif.size())));
  std::string file;
  heif_writer writer{1, [](heif_context*, const void* data, std::size_t size, void* to) {
                       static_cast<std::string*>(to)->assign(static_cast<const char*>(data), size);
                       return heif_error{heif_error_Ok, heif_suberror_Unspecified, ""};
                     }};
  requireOk(heif_context_write(context, &writer, &file));
  heif_image_handle_release(handle);
  heif_encoding_options_free(options);
  heif_encoder_release(encoder);
  heif_nclx_color_profile_free(nclx);
  heif_image_release(image);
  heif_context_free(context);
  return alpha ? withDepth(file, from.avif, from.subtypes) : file;
}

// The message "depth representation information" (ITU-T H.265, G.14.2.3). `type`: 0 to 3. `numbers`: nearest and
// farthest distance, least and greatest disparity; a negative number is left out.
inline std::string depthMessage(unsigned type, std::initializer_list<double> numbers) {
  std::string bits;
  const auto put = [&](std::uint64_t value, int count) {
    for (int i = count; i-- > 0;) bits += static_cast<char>('0' + (value >> i & 1u));
  };
  const auto putGolomb = [&](unsigned value) {
    int length = 0;
    while ((value + 1) >> (length + 1) != 0) ++length;
    put(0, length);
    put(value + 1, length + 1);
  };
  const std::vector<double> given(numbers);
  for (const double v : given) put(v >= 0.0 ? 1u : 0u, 1);
  putGolomb(type);
  if (given[2] >= 0.0 || given[3] >= 0.0) putGolomb(0);
  for (const double v : given) {
    if (v < 0.0) continue;
    constexpr int kMantissaBits = 20;
    int exponent = 0;
    const double mantissa = std::frexp(v, &exponent);  // v = mantissa 2^exponent, mantissa from 0.5 to 1
    put(0, 1);
    put(static_cast<unsigned>(exponent - 1 + 31), 7);
    put(kMantissaBits - 1, 5);
    put(static_cast<std::uint64_t>((2.0 * mantissa - 1.0) * (1 << kMantissaBits)), kMantissaBits);
  }
  put(1, 1);
  while (bits.size() % 8 != 0) bits += '0';
  std::string payload;
  for (std::size_t i = 0; i < bits.size(); i += 8)
    payload += static_cast<char>(std::stoi(bits.substr(i, 8), nullptr, 2));
  const std::string message =
      "\x4e\x01\xb1"s + static_cast<char>(payload.size()) + payload;  // a prefix SEI, payload type 177
  const auto size = static_cast<std::uint32_t>(message.size());
  return bigEndian(size + 4, 4) + bigEndian(size, 4) + message;
}

}  // namespace satdof::test
