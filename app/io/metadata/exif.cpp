#include "app/io/metadata/exif.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <stdexcept>

#include "app/core/files/files.h"
#include "app/core/text/foreign_text.h"
#include "app/io/codec.h"

namespace satdof {

namespace {

using namespace ifd;

// Tags of TIFF 6.0 and EXIF 2.32.
enum Tag : std::uint32_t {
  kDescription = 0x010e,
  kMake = 0x010f,
  kModel = 0x0110,
  kOrientation = 0x0112,
  kDateTime = 0x0132,
  kArtist = 0x013b,
  kHostComputer = 0x013c,
  kRating = 0x4746,
  kRatingPercent = 0x4749,
  kCopyright = 0x8298,
  kExposureTime = 0x829a,
  kFNumber = 0x829d,
  kExifDirectory = 0x8769,
  kPlaceDirectory = 0x8825,
  kSensitivity = 0x8827,
  kDateTimeOriginal = 0x9003,
  kOffsetTimeOriginal = 0x9011,
  kFocalLength = 0x920a,
  kMakerNote = 0x927c,
  kColourSpace = 0xa001,
  kWidth = 0xa002,
  kHeight = 0xa003,
  kInteroperability = 0xa005,
  kFocalLengthIn35mm = 0xa405,
  kLensMake = 0xa433,
  kLensModel = 0xa434,
};
constexpr std::array kKept = {kMake, kModel, kDateTime, kArtist, kCopyright};
constexpr std::array kKeptOfAll = {kDescription, kHostComputer, kRating, kRatingPercent};
constexpr std::array kKeptOfExif = {kExposureTime,       kFNumber,     kSensitivity,       kDateTimeOriginal,
                                    kOffsetTimeOriginal, kFocalLength, kFocalLengthIn35mm, kLensMake,
                                    kLensModel};
// Tags that describe the file, not the photograph.
constexpr std::array kOfFile = {kMakerNote, kColourSpace, kWidth, kHeight, kInteroperability};

constexpr EnumEntry<KeepMetadata> kKeeps[] = {
    {KeepMetadata::noGps, "no-gps", "camera, lens, exposure, date, author and rights, without the place"},
    {KeepMetadata::all, "all", "the place, serial numbers and comments, too"},
    {KeepMetadata::none, "none", "nothing of the photograph's file"},
};

template <std::size_t N>
bool among(const std::array<Tag, N>& tags, std::uint32_t tag) {
  return std::ranges::find(tags, tag) != tags.end();
}

// The kept tags of a structure: in its first directory, and in the directories that it refers to, by tag.
struct Kept {
  Directory main;
  std::map<std::uint32_t, Directory> named;
};

Kept keptOf(std::string_view bytes, KeepMetadata keep) {
  constexpr std::size_t kMaxBytes = 1000, kMaxOfAll = 16384;
  const Structure structure(bytes);
  const bool all = keep == KeepMetadata::all;
  const std::size_t most = all ? kMaxOfAll : kMaxBytes;
  if (keep == KeepMetadata::none) return {};
  Kept kept;
  kept.main =
      structure.first([&](std::uint32_t tag) { return among(kKept, tag) || (all && among(kKeptOfAll, tag)); }, most);
  kept.named[kExifDirectory] = structure.named(
      {kExifDirectory}, [&](std::uint32_t tag) { return all ? !among(kOfFile, tag) : among(kKeptOfExif, tag); }, most);
  if (all)
    kept.named[kPlaceDirectory] = structure.named(
        {kPlaceDirectory}, [](std::uint32_t) { return true; }, most);
  return kept;
}

// Returns the text of a tag on one line; empty if the tag is missing.
std::string textOf(const Directory& directory, Tag tag) {
  const auto found = directory.find(tag);
  if (found == directory.end() || found->second.type != kText) return {};
  std::string text = printable(std::string_view(found->second.bytes).substr(0, found->second.bytes.size() - 1), 200);
  std::ranges::replace(text, '\n', ' ');
  return text;
}

}  // namespace

std::span<const EnumEntry<KeepMetadata>> entries(KeepMetadata) { return kKeeps; }

PhotographFacts photographFacts(std::string_view bytes, KeepMetadata keep) {
  if (keep == KeepMetadata::none || bytes.empty()) return {};
  const Kept kept = keptOf(bytes, keep);
  const Directory& main = kept.main;
  if (main.empty() && std::ranges::all_of(kept.named, [](const auto& each) { return each.second.empty(); })) return {};
  Directory first = main;
  first[kOrientation] = shorts(std::string("\1\0", 2));
  constexpr std::uint32_t kFirstAt = 8;
  PhotographFacts facts{header(kFirstAt) + encoded(first, kept.named, kFirstAt), {}};
  const auto add = [&](const char* keyword, const std::string& text) {
    if (!text.empty()) facts.texts.push_back({keyword, text});
  };
  const Directory& exif = kept.named.at(kExifDirectory);
  const std::string make = textOf(main, kMake), model = textOf(main, kModel);
  add("Camera", make.empty() || model.starts_with(make) ? model : model.empty() ? make : make + " " + model);
  add("Lens", textOf(exif, kLensModel));
  const std::string taken = textOf(exif, kDateTimeOriginal);
  add("Date Taken", taken.empty() ? textOf(main, kDateTime) : taken);
  add("Author", textOf(main, kArtist));
  add("Copyright", textOf(main, kCopyright));
  return facts;
}

std::string exifOfFile(std::string_view file) try {
  const Codec& codec = readerOf(file);
  return codec.exif != nullptr ? codec.exif(file) : std::string();
} catch (const std::runtime_error&) {
  return {};
}

PhotographFacts readPhotographFacts(const std::filesystem::path& path, KeepMetadata keep) try {
  constexpr std::size_t kHead = std::size_t{64} << 20;  // other metadata may precede EXIF
  return photographFacts(keep == KeepMetadata::none ? "" : exifOfFile(readHead(path, kHead)), keep);
} catch (const std::runtime_error&) {
  return {};
}

std::string withFacts(Directory directory, std::string_view exif, std::uint32_t offset) {
  Kept kept = keptOf(exif, KeepMetadata::all);
  directory.merge(kept.main);
  return encoded(std::move(directory), kept.named, offset);
}

}  // namespace satdof
