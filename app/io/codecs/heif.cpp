#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <memory>
#include <stdexcept>

#include "app/core/text/foreign_text.h"
#include "app/core/text/formatted.h"
#include "app/io/codecs/rows.h"
#include "app/io/codecs/samples.h"
#include "app/io/metadata/colour_profile.h"

#if SATDOF_HAS_HEIF
#include <libheif/heif.h>
#endif

// HEIC and AVIF, by libheif.
namespace satdof::formats {

namespace {

bool isHeif(std::string_view bytes) {
  constexpr std::array<std::string_view, 9> kBrands = {"heic", "heix", "heim", "heis", "hevc",
                                                       "mif1", "msf1", "avif", "avis"};
  return bytes.size() >= 12 && bytes.substr(4, 4) == "ftyp" &&
         std::ranges::find(kBrands, bytes.substr(8, 4)) != kBrands.end();
}

// An image as shown: its rotation, mirroring and cropping are applied.
struct HeifImage {
  glm::ivec2 size{0};
  int channels = 3;                 // 4: with alpha
  int bitDepth = 8;                 // or 16: values of 10 and 12 bits are scaled to 16
  std::vector<unsigned char> rows;  // bottom row first; 16 bits in the byte order of the machine
  std::string profile;              // ICC; empty: sRGB
  Notes notes{};                    // parts that are ignored
};

#if SATDOF_HAS_HEIF

template <auto release>
struct Release {
  template <class T>
  void operator()(T* object) const {
    release(object);
  }
};
template <class T, auto release>
using Owned = std::unique_ptr<T, Release<release>>;
using Context = Owned<heif_context, heif_context_free>;
using Handle = Owned<heif_image_handle, heif_image_handle_release>;
using Image = Owned<heif_image, heif_image_release>;

void require(const heif_error& error) {
  if (error.code == heif_error_Ok) return;
  throw std::runtime_error("libheif: " + excerpt(error.message != nullptr ? error.message : "unknown error"));
}

// Reads the structure of the file, not its pixels. `bytes` must outlive the result.
Context contextOf(std::string_view bytes, const FileLimits& limits) {
  Context context(heif_context_alloc());
  heif_context_set_maximum_image_size_limit(context.get(), limits.side);
  require(heif_context_read_from_memory_without_copy(context.get(), bytes.data(), bytes.size(), nullptr));
  return context;
}

Handle primaryImage(const Context& context) {
  heif_image_handle* handle = nullptr;
  require(heif_context_get_primary_image_handle(context.get(), &handle));
  return Handle(handle);
}

// Returns the size, checked against `limits` alone: a tile may be repeated, so the size of the file does not bound the
// image.
glm::ivec2 boundedSize(const Handle& handle, const FileLimits& limits) {
  const glm::ivec2 size(heif_image_handle_get_width(handle.get()), heif_image_handle_get_height(handle.get()));
  requireSize(size, limits, 1, std::numeric_limits<double>::infinity());
  return size;
}

// Memory a pixel while decoding: samples of up to two bytes in libheif, and the rows of this reader.
constexpr double kDecodedBytes = 16.0;

Image decoded(const Handle& handle, heif_colorspace space, heif_chroma chroma) {
  heif_image* image = nullptr;
  require(heif_decode_image(handle.get(), &image, space, chroma, nullptr));
  return Image(image);
}

// Returns the rows of a channel, bottom row first, scaled from `bits` bits to the full range of `bytesPerSample` bytes.
std::vector<unsigned char> rowsOf(const Image& image, heif_channel channel, glm::ivec2 size, int channels, int bits,
                                  std::size_t bytesPerSample) {
  if (heif_image_get_width(image.get(), channel) != size.x || heif_image_get_height(image.get(), channel) != size.y)
    throw std::runtime_error("its pixels have another size than the file says");
  int stride = 0;
  const std::uint8_t* const plane = heif_image_get_plane_readonly(image.get(), channel, &stride);
  const std::size_t row = static_cast<std::size_t>(size.x) * static_cast<std::size_t>(channels) * bytesPerSample;
  if (plane == nullptr || static_cast<std::size_t>(stride) < row) throw std::runtime_error("it has no pixels");
  std::vector<unsigned char> rows(row * static_cast<std::size_t>(size.y));
  for (int y = 0; y < size.y; ++y)
    std::memcpy(&rows[static_cast<std::size_t>(size.y - 1 - y) * row], plane + std::ptrdiff_t{stride} * y, row);
  if (bytesPerSample == 1) return rows;
  const unsigned most = (1u << bits) - 1u;
  for (std::size_t i = 0; i < rows.size(); i += sizeof(std::uint16_t)) {
    std::uint16_t sample = 0;
    std::memcpy(&sample, &rows[i], sizeof sample);
    sample = static_cast<std::uint16_t>((std::min<unsigned>(sample, most) * 65535u + most / 2) / most);
    std::memcpy(&rows[i], &sample, sizeof sample);
  }
  return rows;
}

// Whether luma has limited range (16 to 235 of 255), by the nclx profile of the file, else of its coded pixels.
bool hasLimitedRange(const Image& native, const Handle& handle) {
  heif_color_profile_nclx* found = nullptr;
  if (heif_image_handle_get_nclx_color_profile(handle.get(), &found).code != heif_error_Ok || found == nullptr)
    heif_image_get_nclx_color_profile(native.get(), &found);
  const Owned<heif_color_profile_nclx, heif_nclx_color_profile_free> profile(found);
  return profile && profile->full_range_flag == 0;
}

// Expands limited range: 16 becomes 0, 235 becomes `largest`. `bits`: bit depth of the samples in the file.
float expanded(float sample, float largest, int bits) {
  const auto most = static_cast<float>((1 << bits) - 1), low = static_cast<float>(16 << (bits - 8)),
             high = static_cast<float>(235 << (bits - 8));
  return std::clamp((sample / largest * most - low) / (high - low), 0.0f, 1.0f) * largest;
}

// Expands the range of monochrome images: libheif copies their luma without conversion. `Sample`: the type in
// image.rows.
template <class Sample>
void expandLimitedGrey(HeifImage& image, const Handle& handle) {
  constexpr auto kMax = static_cast<float>(static_cast<Sample>(-1));
  auto* const samples = reinterpret_cast<Sample*>(image.rows.data());
  const auto channels = static_cast<std::size_t>(image.channels);
  const std::size_t count = image.rows.size() / sizeof(Sample);
  for (std::size_t i = 0; i < count; i += channels)
    if (samples[i] != samples[i + 1] || samples[i] != samples[i + 2]) return;
  const Image native = decoded(handle, heif_colorspace_undefined, heif_chroma_undefined);
  if (heif_image_get_colorspace(native.get()) != heif_colorspace_monochrome || !hasLimitedRange(native, handle)) return;
  const int bits = heif_image_get_bits_per_pixel_range(native.get(), heif_channel_Y);
  if (bits < 8 || bits > 16) return;
  const auto grey = rowsOf(native, heif_channel_Y, image.size, 1, bits, sizeof(Sample));
  for (std::size_t i = 0, pixel = 0; i < count; i += channels, ++pixel) {
    Sample sample{};
    std::memcpy(&sample, &grey[pixel * sizeof(Sample)], sizeof(Sample));
    std::fill_n(samples + i, 3, static_cast<Sample>(std::lround(expanded(static_cast<float>(sample), kMax, bits))));
  }
}

std::string rawProfile(const Handle& handle) {
  std::string profile(heif_image_handle_get_raw_color_profile_size(handle.get()), '\0');
  if (!profile.empty()) require(heif_image_handle_get_raw_color_profile(handle.get(), profile.data()));
  return profile;
}

// Sets the profile of the colours that the file codes as numbers (nclx, ITU-T H.273).
void applyNclxProfile(HeifImage& image, const Handle& handle) {
  heif_color_profile_nclx* found = nullptr;
  if (heif_image_handle_get_nclx_color_profile(handle.get(), &found).code != heif_error_Ok) return;
  const Owned<heif_color_profile_nclx, heif_nclx_color_profile_free> named(found);
  const auto transfer = named->transfer_characteristics;
  if (transfer == heif_transfer_characteristic_ITU_R_BT_2100_0_PQ ||
      transfer == heif_transfer_characteristic_ITU_R_BT_2100_0_HLG)
    addNote(image.notes, "its tone curve for HDR (PQ or HLG) is ignored: sRGB assumed");
  const auto colours = named->color_primaries;
  if (colours == heif_color_primaries_SMPTE_EG_432_1)
    image.profile = namedProfile(NamedColours::displayP3);
  else if (colours == heif_color_primaries_ITU_R_BT_2020_2_and_2100_0)
    image.profile = namedProfile(NamedColours::bt2020);
}

struct Representation {
  int type = heif_depth_representation_type_uniform_inverse_Z;
  std::optional<double> zNear, zFar, dMin, dMax;
};

std::optional<Representation> representationOf(const Handle& image, heif_item_id depth) {
  const heif_depth_representation_info* found = nullptr;
  if (heif_image_handle_get_depth_image_representation_info(image.get(), depth, &found) == 0 || found == nullptr)
    return std::nullopt;
  const Owned<const heif_depth_representation_info, heif_depth_representation_info_free> info(found);
  const auto number = [](bool given, double value) {
    return given && std::isfinite(value) ? std::optional(value) : std::nullopt;
  };
  // libheif does not validate the number: it may lie outside the enumeration.
  int type = 0;
  static_assert(sizeof type == sizeof info->depth_representation_type);
  std::memcpy(&type, &info->depth_representation_type, sizeof type);
  return Representation{type, number(info->has_z_near != 0, info->z_near), number(info->has_z_far != 0, info->z_far),
                        number(info->has_d_min != 0, info->d_min), number(info->has_d_max != 0, info->d_max)};
}

void setOrigin(DepthImage& depth, const char* representation, double from, double to, const char* unit) {
  depth.origin = formatted("HEIF, %s from %g to %g %s", representation, from, to, unit);
}

// Replaces the numbers of the file by convert(n), with n scaled to [0, 1].
template <class Convert>
void convert(DepthImage& depth, DepthMeaning meaning, const Convert& convert) {
  for (float& v : depth.values) v = static_cast<float>(convert(static_cast<double>(v / depth.largest)));
  depth.largest = 0.0f;
  depth.meaning = meaning;
}

// Converts the numbers to metres or inverse metres as the representation states; see depthInHeif().
void applyRepresentation(DepthImage& depth, const std::optional<Representation>& stated) {
  depth.meaning = DepthMeaning::relative;
  depth.origin = "HEIF, which gives no range";
  constexpr const char* kNoRange = "its depth has no range in metres: relative depth assumed";
  if (!stated) return addNote(depth.notes, kNoRange);
  const bool lengths = stated->zNear && stated->zFar && *stated->zNear > 0.0 && *stated->zFar > *stated->zNear;
  if (stated->type == heif_depth_representation_type_uniform_inverse_Z && lengths) {
    const double far = 1.0 / *stated->zFar, near = 1.0 / *stated->zNear;
    convert(depth, DepthMeaning::inverseMetres, [&](double n) { return far + n * (near - far); });
    depth.scale = 1.0;
    setOrigin(depth, "uniform inverse Z", *stated->zNear, *stated->zFar, "m");
  } else if (stated->type == heif_depth_representation_type_uniform_Z && lengths) {
    convert(depth, DepthMeaning::metres,
            [&](double n) { return *stated->zNear + n * (*stated->zFar - *stated->zNear); });
    setOrigin(depth, "uniform Z", *stated->zNear, *stated->zFar, "m");
  } else if (stated->type == heif_depth_representation_type_uniform_disparity && stated->dMin && stated->dMax &&
             *stated->dMin >= 0.0 && *stated->dMax > *stated->dMin) {
    convert(depth, DepthMeaning::inverseMetres,
            [&](double n) { return *stated->dMin + n * (*stated->dMax - *stated->dMin); });
    depth.scale = 1.0;
    setOrigin(depth, "uniform disparity", *stated->dMin, *stated->dMax, "1/m");
  } else if (stated->type == heif_depth_representation_type_uniform_Z) {
    for (float& v : depth.values) v = depth.largest - v;  // relative depth: large numbers are near
    depth.origin = "HEIF, uniform Z without its range";
  } else if (stated->type == heif_depth_representation_type_nonuniform_disparity) {
    depth.origin = "HEIF, nonuniform disparity";
  }
  if (depth.meaning == DepthMeaning::relative) addNote(depth.notes, kNoRange);
}

std::string library() { return std::string("libheif ") + heif_get_version(); }

glm::ivec2 heifSize(std::string_view bytes, const FileLimits& limits) {
  const Context context = contextOf(bytes, limits);
  return boundedSize(primaryImage(context), limits);
}

HeifImage decodeHeif(std::string_view bytes, const FileLimits& limits) {
  const Context context = contextOf(bytes, limits);
  const Handle handle = primaryImage(context);
  HeifImage image;
  image.size = boundedSize(handle, limits);
  const bool alpha = heif_image_handle_has_alpha_channel(handle.get()) != 0;
  const bool deep = heif_image_handle_get_luma_bits_per_pixel(handle.get()) > 8;
  image.channels = alpha ? 4 : 3;
  image.bitDepth = deep ? 16 : 8;
  constexpr bool kLittle = std::endian::native == std::endian::little;
  const heif_chroma deepChroma =
      alpha ? (kLittle ? heif_chroma_interleaved_RRGGBBAA_LE : heif_chroma_interleaved_RRGGBBAA_BE)
            : (kLittle ? heif_chroma_interleaved_RRGGBB_LE : heif_chroma_interleaved_RRGGBB_BE);
  const heif_chroma chroma = deep ? deepChroma : (alpha ? heif_chroma_interleaved_RGBA : heif_chroma_interleaved_RGB);
  requireRoomToDecode(image.size, kDecodedBytes);
  const Image pixels = decoded(handle, heif_colorspace_RGB, chroma);
  const int bits = heif_image_get_bits_per_pixel_range(pixels.get(), heif_channel_interleaved);
  if (bits < 1 || bits > 16) throw std::runtime_error("its pixels have an unknown format");
  image.rows = rowsOf(pixels, heif_channel_interleaved, image.size, image.channels, bits,
                      deep ? std::size_t{2} : std::size_t{1});
  if (deep)
    expandLimitedGrey<std::uint16_t>(image, handle);
  else
    expandLimitedGrey<std::uint8_t>(image, handle);
  image.profile = rawProfile(handle);
  if (image.profile.empty()) applyNclxProfile(image, handle);
  if (heif_context_get_number_of_top_level_images(context.get()) > 1)
    addNote(image.notes, "its further images are left out");
  return image;
}

// Returns the auxiliary depth image; nothing if the file has none. n: the number in the file, scaled to [0, 1].
//   uniform inverse Z   1 / z = 1 / far + n (1 / near - 1 / far)
//   uniform disparity   1 / z = min + n (max - min), in inverse metres as cameras write it
//   uniform Z           z = near + n (far - near)
// With any other representation, or without its range, depth is relative: large numbers are near. DepthImage::origin
// tells the case.
std::optional<DepthImage> depthInHeif(std::string_view bytes, const FileLimits& limits) {
  const Context context = contextOf(bytes, limits);
  const Handle image = primaryImage(context);
  heif_item_id id = 0;
  if (heif_image_handle_get_list_of_depth_image_IDs(image.get(), &id, 1) < 1) return std::nullopt;
  heif_image_handle* found = nullptr;
  require(heif_image_handle_get_depth_image_handle(image.get(), id, &found));
  const Handle handle(found);
  DepthImage depth;
  depth.size = boundedSize(handle, limits);
  requireRoomToDecode(depth.size, kDecodedBytes);
  const Image pixels = decoded(handle, heif_colorspace_undefined, heif_chroma_undefined);
  const heif_channel grey =  // lossless files may hold three equal channels
      heif_image_has_channel(pixels.get(), heif_channel_Y) != 0 ? heif_channel_Y : heif_channel_R;
  const int bits = heif_image_get_bits_per_pixel_range(pixels.get(), grey);
  if (bits < 1 || bits > 16) throw std::runtime_error("its depth has an unknown format");
  const bool deep = bits > 8;
  const auto rows = rowsOf(pixels, grey, depth.size, 1, bits, deep ? std::size_t{2} : std::size_t{1});
  depth.largest = deep ? 65535.0f : static_cast<float>((1 << bits) - 1);
  depth.values.resize(rows.size() / (deep ? 2 : 1));
  for (std::size_t i = 0; i < depth.values.size(); ++i) {
    std::uint16_t sample = rows[deep ? 2 * i : i];
    if (deep) std::memcpy(&sample, &rows[2 * i], sizeof sample);
    depth.values[i] = sample;
  }
  applyRepresentation(depth, representationOf(image, id));
  return depth;
}

std::string heifExif(std::string_view bytes) {
  constexpr std::size_t kMaxBytes = std::size_t{16} << 20,
                        kOffset = 4;  // bytes of the big-endian offset of the TIFF structure
  const Context context = contextOf(bytes, {});
  const Handle handle = primaryImage(context);
  heif_item_id id = 0;
  if (heif_image_handle_get_list_of_metadata_block_IDs(handle.get(), "Exif", &id, 1) < 1) return {};
  const std::size_t size = heif_image_handle_get_metadata_size(handle.get(), id);
  if (size < kOffset || size > kMaxBytes) return {};
  std::string block(size, '\0');
  require(heif_image_handle_get_metadata(handle.get(), id, block.data()));
  std::size_t offset = 0;
  for (std::size_t i = 0; i < kOffset; ++i) offset = offset << 8 | static_cast<unsigned char>(block[i]);
  return offset <= size - kOffset ? block.substr(kOffset + offset) : std::string();
}

#else

[[noreturn]] void refuse() {
  throw std::runtime_error(
      "HEIC and AVIF are not read: this program was built without libheif; convert it to PNG or "
      "JPEG, and its depth to PNG");
}

std::string library() { return {}; }
HeifImage decodeHeif(std::string_view, const FileLimits&) { refuse(); }
glm::ivec2 heifSize(std::string_view, const FileLimits&) { refuse(); }
std::optional<DepthImage> depthInHeif(std::string_view, const FileLimits&) { refuse(); }
std::string heifExif(std::string_view) { refuse(); }

#endif

Picture pictureOf(std::string_view bytes, const FileLimits& limits) {
  const HeifImage image = decodeHeif(bytes, limits);
  Picture picture{image.size, {}, true, image.notes};
  if (image.bitDepth == 16)
    convert(picture, reinterpret_cast<const std::uint16_t*>(image.rows.data()), image.channels, 0.0, image.profile);
  else
    convert(picture, image.rows.data(), image.channels, 0.0, image.profile);
  return picture;
}

DepthImage depthOf(std::string_view bytes, const FileLimits& limits) {
  auto beside = depthInHeif(bytes, limits);
  if (!beside) throw std::runtime_error("the image in it has no depth beside it");
  return *std::move(beside);
}

}  // namespace

Codec heif() {
  return {.name = "HEIC or AVIF",
          .extensions = {".heic", ".heif", ".avif"},
          .begins = isHeif,
          .about = {"8 to 12 bits, profile, Display P3, BT.2020, limited range, turns and crops; depth "
                    "beside the image",
                    "", "the tone curves PQ and HLG; further images", "libheif"},
          .picture = pictureOf,
          .size = heifSize,
          .depth = depthOf,
          .photograph = [](std::string_view bytes, const FileLimits& limits) -> Photograph {
            return {pictureOf(bytes, limits), depthInHeif(bytes, limits)};
          },
          .exif = heifExif,
          .library = library};
}

}  // namespace satdof::formats
