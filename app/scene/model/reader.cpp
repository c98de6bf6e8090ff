#include "app/scene/model/reader.h"

#include <stb_image.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdint>
#include <cstring>
#include <glm/gtc/packing.hpp>
#include <optional>

#include "app/core/files/file_names.h"
#include "app/core/files/files.h"
#include "app/core/pixels.h"
#include "app/core/text/count_text.h"
#include "app/core/text/foreign_text.h"
#include "app/core/text/letters.h"
#include "app/io/codec.h"
#include "app/io/formats/png.h"
#include "app/io/formats/stb_guard.h"
#include "app/io/formats/webp.h"
#include "app/io/light.h"
#include "app/io/picture.h"

namespace satdof {

namespace {

struct Reader {
  const char* extension;
  ModelData (*parse)(const ModelSource&, LoadProgress&);
};
constexpr std::array kReaders = {Reader{".gltf", parseGltf}, Reader{".glb", parseGltf}, Reader{".vrm", parseGltf},
                                 Reader{".obj", parseObj}};

const std::array kFormats = {
    ModelFormat{"glTF 2.0",
                {".gltf", ".glb", ".vrm"},
                {"meshes, nodes, cameras, skins, morph targets, clips, two sets of texture coordinates, vertex "
                 "colours, the extensions below",
                 "morph targets move positions and normals, not tangents; blended surfaces are sorted by the "
                 "centres of their meshes",
                 "points, lines, orthographic cameras, other extensions"}},
    ModelFormat{"OBJ with MTL",
                {".obj"},
                {"polygons, smoothing groups, vertex colours, textures with their options, materials of Phong or "
                 "of metal and roughness",
                 "materials of Phong become metal and roughness", "points, lines, curves"}}};

const Reader* readerOf(const std::filesystem::path& path) {
  const auto* found = std::ranges::find(kReaders, lowerCase(path.extension().string()), &Reader::extension);
  return found == kReaders.end() ? nullptr : found;
}

// "my%20file" -> "my file".
std::string decodePercents(std::string_view uri) {
  const auto digit = [](char c) { return c <= '9' ? c - '0' : (c | 32) - 'a' + 10; };
  std::string text;
  for (std::size_t i = 0; i < uri.size(); ++i) {
    const bool coded = uri[i] == '%' && i + 2 < uri.size() && std::isxdigit(static_cast<unsigned char>(uri[i + 1])) &&
                       std::isxdigit(static_cast<unsigned char>(uri[i + 2]));
    text += coded ? static_cast<char>(16 * digit(uri[i + 1]) + digit(uri[i + 2])) : uri[i];
    if (coded) i += 2;
  }
  return text;
}

// The file at a relative path, regardless of case. None if there is none, or if symbolic links lead out of the folder.
std::optional<std::filesystem::path> findBelow(FolderNames& names, const std::filesystem::path& folder,
                                               const std::filesystem::path& relative) {
  std::error_code failed;
  const auto home = std::filesystem::weakly_canonical(folder, failed);
  if (failed) return std::nullopt;
  std::filesystem::path at = home;
  for (const auto& part : relative) {
    if (part.empty() || part == ".") continue;
    auto next = at / part;
    if (!std::filesystem::exists(next, failed)) {
      const auto name = names.find(at, part.string());
      if (!name) return std::nullopt;
      next = at / *name;
    }
    at = std::move(next);
  }
  const auto full = std::filesystem::weakly_canonical(at, failed);
  if (failed || !std::filesystem::is_regular_file(full, failed)) return std::nullopt;
  if (std::mismatch(home.begin(), home.end(), full.begin(), full.end()).first != home.end()) return std::nullopt;
  return full;
}

FileLimits limitsOf(const ModelLimits& limits) {
  return {.side = limits.imageSide, .pixels = static_cast<std::int64_t>(limits.imageBytes / sizeof(glm::u8vec4))};
}

// Size of an image, from its header.
glm::ivec2 imageSize(std::string_view bytes, const ModelLimits& limits) {
  if (isPng(bytes)) {
    if (const auto size = pngSize(bytes)) return *size;
    throw std::runtime_error("the PNG image is damaged before its pixels");
  }
  if (isWebp(bytes)) return webpSize(bytes);
  requireSafeForStb(bytes);
  if (bytes.size() > std::size_t{INT32_MAX}) throw std::runtime_error("the image is larger than 2 GB");
  glm::ivec2 size{0};
  int channels = 0;
  if (stbi_info_from_memory(reinterpret_cast<const stbi_uc*>(bytes.data()), static_cast<int>(bytes.size()), &size.x,
                            &size.y, &channels) != 0)
    return size;
  if (const Codec* const codec = codecByContent(bytes)) return codec->size(bytes, limitsOf(limits));
  throw std::runtime_error("no image, or of an unknown format");
}

// Decodes by app/io/codec.h, without alpha.
ModelImage decodeByCodec(std::string_view bytes, const ModelLimits& limits) {
  const Picture picture = decodePicture(bytes, limitsOf(limits));
  const auto shade = [&](std::size_t at) { return encodeSrgb(glm::unpackHalf1x16(picture.rgba[at])); };
  ModelImage image;
  image.size = picture.size;
  const auto width = static_cast<std::size_t>(picture.size.x), height = static_cast<std::size_t>(picture.size.y);
  for (std::size_t row = height; row-- > 0;)
    for (std::size_t at = 4 * row * width; at < 4 * (row + 1) * width; at += 4)
      image.texels.emplace_back(shade(at), shade(at + 1), shade(at + 2), 255);
  return image;
}

ModelImage decodeWebpImage(std::string_view bytes, const ModelLimits& limits) {
  const WebpImage webp = decodeWebp(bytes, limitsOf(limits));
  ModelImage image;
  image.size = webp.size;
  const auto channels = static_cast<std::size_t>(webp.channels);
  for (std::size_t at = 0; at < webp.rows.size(); at += channels)
    image.texels.emplace_back(webp.rows[at], webp.rows[at + 1], webp.rows[at + 2],
                              channels == 4 ? webp.rows[at + 3] : 255);
  return image;
}

// Decodes by libpng: stb_image does not limit the size of the decompressed data.
ModelImage decodePngImage(std::string_view bytes, const ModelLimits& limits) {
  const PngImage png = decodePng(bytes, limitsOf(limits));
  const auto width = static_cast<std::size_t>(png.size.x), height = static_cast<std::size_t>(png.size.y);
  const std::size_t channels = static_cast<std::size_t>(png.channels), bytesEach = png.bitDepth == 16 ? 2 : 1;
  const auto sample = [&](std::size_t index) {
    if (bytesEach == 1) return png.rows[index];
    std::uint16_t value = 0;
    std::memcpy(&value, &png.rows[2 * index], sizeof value);
    return static_cast<unsigned char>(value >> 8);
  };
  ModelImage image;
  image.size = png.size;
  image.texels.reserve(width * height);
  for (std::size_t row = height; row-- > 0;)
    for (std::size_t x = 0; x < width; ++x) {
      const std::size_t at = (row * width + x) * channels;
      const bool grey = channels < 3;
      image.texels.emplace_back(sample(at), sample(grey ? at : at + 1), sample(grey ? at : at + 2),
                                channels % 2 == 0 ? sample(at + channels - 1) : 255);
    }
  return image;
}

}  // namespace

std::optional<std::string> FolderNames::find(const std::filesystem::path& folder, const std::string& name) {
  constexpr std::size_t kMaxNames = 10'000;
  const auto [known, isNew] = folders_.try_emplace(folder);
  auto& names = known->second;
  std::error_code failed;
  if (isNew)
    for (std::filesystem::directory_iterator entry(folder, failed), end;
         !failed && entry != end && names.size() < kMaxNames; entry.increment(failed)) {
      const std::string found = entry->path().filename().string();
      names.emplace(lowerCase(found), found);
    }
  const auto found = names.find(lowerCase(name));
  return found == names.end() ? std::nullopt : std::optional(found->second);
}

std::span<const ModelFormat> modelFormats() { return kFormats; }

std::vector<std::string> modelExtensions() {
  std::vector<std::string> all(kReaders.size());
  std::ranges::transform(kReaders, all.begin(), &Reader::extension);
  return all;
}

bool isModelFile(const std::filesystem::path& path) { return readerOf(path) != nullptr; }

std::vector<std::filesystem::path> referencedFiles(const std::filesystem::path& model) {
  std::vector<std::filesystem::path> opened;
  const Reader* const reader = readerOf(model);
  if (reader == nullptr) return opened;
  ModelLimits limits;
  const std::string bytes = readWholeFile(model, limits.fileBytes);
  limits.imageSide = 0;  // no texture is decoded
  LoadProgress progress;
  try {
    reader->parse({bytes, folderOf(model), limits, &opened}, progress);
  } catch (const std::runtime_error&) {  // readModel() reports the damage
  }
  std::ranges::sort(opened);
  opened.erase(std::unique(opened.begin(), opened.end()), opened.end());
  return opened;
}

std::shared_ptr<const ModelData> readModel(const std::filesystem::path& path, LoadProgress& progress) {
  try {
    const Reader* reader = readerOf(path);
    if (reader == nullptr) throw std::runtime_error("not a " + listText(modelExtensions(), "or") + " file");
    progress.report(0.0f, "reading " + path.filename().string());
    const ModelLimits limits;
    const std::string bytes = readWholeFile(path, limits.fileBytes);
    auto model = std::make_shared<ModelData>(reader->parse({bytes, folderOf(path), limits}, progress));
    if (model->indices.empty())
      throw std::runtime_error(model->notes.empty() ? "it has no triangles"
                                                    : "it has no triangles: " + model->notes.front());
    model->notes = inFile(path, model->notes);
    moveOrigin(*model);
    return model;
  } catch (const std::bad_alloc&) {
    throw std::runtime_error("cannot read the model " + pathText(path) + ": out of memory");
  } catch (const std::exception& error) {
    throw std::runtime_error("cannot read the model " + pathText(path) + ": " + readingReason(path, error.what()));
  }
}

ReferencedFile readReferenced(const ModelSource& source, const std::filesystem::path& first, std::string_view name,
                              std::size_t limit) {
  std::vector<std::filesystem::path> folders{first};
  if (source.folder != first) folders.push_back(source.folder);
  const auto refuse = [&](const char* why) {
    return std::runtime_error("the file " + inQuotes(name, 200) + " that it names " + why);
  };
  if (std::ranges::all_of(folders, [](const auto& folder) { return folder.empty(); })) throw refuse("is not read");
  std::string plain(name);
  std::ranges::replace(plain, '\\', '/');
  if (plain.find('\0') != plain.npos) throw refuse("has no name");
  std::vector<std::filesystem::path> candidates = {plain};
  const bool elsewhere = plain.find(':') != plain.npos || candidates[0].is_absolute() ||
                         std::ranges::find(candidates[0], "..") != candidates[0].end();
  if (elsewhere) candidates.clear();
  candidates.emplace_back(plain.substr(plain.find_last_of("/:") + 1));
  for (const auto& folder : folders)
    for (const auto& candidate : candidates) {
      const auto found = folder.empty() ? std::nullopt : findBelow(*source.names, folder, candidate);
      if (!found) continue;
      ReferencedFile read{readWholeFile(*found, limit), folderOf(*found)};
      if (source.opened != nullptr) source.opened->push_back(*found);
      return read;
    }
  throw refuse(elsewhere ? "must lie in the folder of the model" : "is not there, or no regular file");
}

std::string readUri(const ModelSource& source, std::string_view uri, std::size_t limit) {
  return readReferenced(source, source.folder, decodePercents(uri), limit).bytes;
}

void reserveImage(std::string_view bytes, ModelLimits& limits) {
  const glm::ivec2 size = imageSize(bytes, limits);
  if (std::min(size.x, size.y) < 1 || std::max(size.x, size.y) > limits.imageSide)
    throw std::runtime_error("the image has " + std::to_string(size.x) + "x" + std::to_string(size.y) +
                             " pixels; at most " + std::to_string(limits.imageSide) + " a side are possible");
  const std::size_t needed = pixelCount(size) * sizeof(glm::u8vec4);
  if (needed > limits.imageBytes) throw ImageBudgetExceeded("all images together take too much memory");
  limits.imageBytes -= needed;
}

ModelImage decodeImage(std::string_view bytes, const ModelLimits& limits) {
  ModelLimits left = limits;
  reserveImage(bytes, left);
  if (isPng(bytes)) return decodePngImage(bytes, limits);
  if (isWebp(bytes)) return decodeWebpImage(bytes, limits);
  ModelImage image;
  int channels = 0;
  const std::unique_ptr<stbi_uc, void (*)(void*)> pixels(
      stbi_load_from_memory(reinterpret_cast<const stbi_uc*>(bytes.data()), static_cast<int>(bytes.size()),
                            &image.size.x, &image.size.y, &channels, 4),
      stbi_image_free);
  if (!pixels && codecByContent(bytes) != nullptr) return decodeByCodec(bytes, limits);
  // The reason may quote bytes of the file.
  if (!pixels) throw std::runtime_error("damaged image: " + excerpt(stbi_failure_reason(), 100));
  const auto* from = reinterpret_cast<const glm::u8vec4*>(pixels.get());
  image.texels.assign(from, from + pixelCount(image.size));
  return image;
}

}  // namespace satdof
