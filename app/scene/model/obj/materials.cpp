#include "app/scene/model/obj/materials.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <glm/common.hpp>
#include <stdexcept>

#include "app/core/text/foreign_text.h"
#include "app/core/text/letters.h"
#include "app/scene/model/entry.h"
#include "app/scene/model/obj/text.h"

namespace satdof::obj {

namespace {

constexpr std::array kReadMaps = {"map_kd", "map_ke", "map_d", "norm", "map_kn", "bump", "map_bump"};

float linear(float value) { return std::pow(std::clamp(value, 0.0f, 1.0f), 2.2f); }

// Parses up to three numbers. A missing number repeats the one before.
glm::vec3 colourOf(std::string_view rest) {
  glm::vec3 colour(0.0f);
  for (int i = 0; i < 3; ++i) {
    const auto value = numberOf(takeWord(rest));
    colour[i] = value ? static_cast<float>(*value) : i == 0 ? 0.0f : colour[i - 1];
  }
  return colour;
}

// Whether an image is a normal map rather than a height map: normal maps are blue, height maps are grey.
bool holdsNormals(const ModelImage& image) {
  glm::dvec3 sum(0.0);
  for (const glm::u8vec4& texel : image.texels) sum += glm::dvec3(texel);
  sum /= static_cast<double>(std::max<std::size_t>(image.texels.size(), 1));
  return sum.b > sum.r + 40.0 && sum.b > sum.g + 40.0;
}

// The alpha of the texels, or their grey values if all are opaque.
std::vector<std::uint8_t> opacities(const ModelImage& image) {
  const bool hasAlpha = std::ranges::any_of(image.texels, [](const glm::u8vec4& t) { return t.a != 255; });
  std::vector<std::uint8_t> values;
  values.reserve(image.texels.size());
  for (const glm::u8vec4& t : image.texels)
    values.push_back(hasAlpha ? t.a : static_cast<std::uint8_t>((t.r + t.g + t.b) / 3));
  return values;
}

// Whether more than a tenth of the texels are translucent.
bool isSoft(const ModelImage& image) {
  const auto soft = std::ranges::count_if(image.texels, [](const glm::u8vec4& t) { return t.a > 25 && t.a < 230; });
  return static_cast<std::size_t>(soft) * 10 > image.texels.size();
}

}  // namespace

Map parseMap(std::string_view text) {
  Map map;
  while (text.starts_with('-')) {
    std::string_view after = text;
    const std::string option = lowerCase(takeWord(after));
    std::array<float, 3> numbers{};
    std::size_t count = 0;
    std::string_view rest = after;
    for (; count < numbers.size(); ++count) {
      std::string_view ahead = rest;
      const auto number = numberOf(takeWord(ahead));
      if (!number || ahead.empty()) break;  // the last word is the file name
      numbers[count] = static_cast<float>(*number);
      rest = ahead;
    }
    if (option == "-s" || option == "-o") {
      glm::vec2& to = option == "-s" ? map.scale : map.offset;
      if (count > 0) to = {numbers[0], count > 1 ? numbers[1] : option == "-s" ? numbers[0] : 0.0f};
    } else if (option == "-bm") {
      if (count > 0) map.strength = numbers[0];
    } else if (option == "-clamp" || option == "-blendu" || option == "-blendv" || option == "-cc" ||
               option == "-imfchan" || option == "-type") {
      if (option == "-clamp") map.clamp = after.starts_with("on");
      takeWord(after);
      rest = after;
    } else if (count == 0) {
      break;  // a file name that starts with a hyphen
    }
    text = rest;
  }
  text = trimmed(text);
  if (text.size() > 1 && text.front() == '"' && text.back() == '"') text = text.substr(1, text.size() - 2);
  map.name = text;
  return map;
}

void Materials::readLibraries(std::string_view names) {
  if (names.size() > 1 && names.front() == '"' && names.back() == '"') names = names.substr(1, names.size() - 2);
  if (names.empty() || !read_.emplace(names).second || read_.size() > 1000) return;
  if (readLibrary(names)) return;
  // Several names, which may contain blanks: splits after ".mtl".
  bool some = false;
  std::string_view left = names;
  while (!left.empty()) {
    const auto end = lowerCase(left).find(".mtl");
    const std::string_view name = trimmed(left.substr(0, end == left.npos ? end : end + 4));
    left.remove_prefix(end == left.npos ? left.size() : end + 4);
    if (!name.empty() && name != names) some = readLibrary(name) || some;
  }
  if (!some) addNote(model_.notes, "the material file " + inQuotes(names, 100) + " is not there, or no regular file");
}

bool Materials::readLibrary(std::string_view name) {
  std::filesystem::path folder;
  std::string text;
  try {
    ReferencedFile file = readReferenced(source_, source_.folder, name, source_.limits.jsonBytes);
    folder = file.folder;
    text = std::move(file.bytes);
  } catch (const std::runtime_error&) {
    return false;
  }
  try {
    for (Lines lines(text); lines.next();) {
      progress_.throwIfCancelled();
      const std::string keyword = lowerCase(lines.keyword());
      if (keyword == "newmtl")
        add(lines.rest(), folder);
      else if (!stated_.empty())
        statement(keyword, lines.rest());
    }
  } catch (const std::runtime_error& error) {
    addNote(model_.notes, excerpt(name, 100) + ": " + error.what());
  }
  return true;
}

void Materials::add(std::string_view name, const std::filesystem::path& folder) {
  if (model_.materials.size() >= source_.limits.items) throw std::runtime_error("it has too many materials");
  byName_.insert_or_assign(std::string(name), static_cast<int>(model_.materials.size()));
  ModelMaterial material;
  material.name = name;
  material.baseColour = glm::vec4(glm::vec3(linear(0.8f)), 1.0f);
  material.metallic = 0.0f;
  material.doubleSided = true;
  model_.materials.push_back(material);
  stated_.emplace_back().folder = folder;
}

void Materials::statement(std::string_view keyword, std::string_view rest) {
  ModelMaterial& material = model_.materials.back();
  Stated& stated = stated_.back();
  const auto number = [&](float low, float high) {
    std::string_view left = rest;
    std::string_view word = takeWord(left);
    if (word == "-halo") word = takeWord(left);
    return std::clamp(static_cast<float>(numberOf(word).value_or(0.0)), low, high);
  };
  if (keyword == "kd") {
    const glm::vec3 colour = colourOf(rest);
    material.baseColour = {linear(colour.r), linear(colour.g), linear(colour.b), 1.0f};
    stated.colourStated = true;
  } else if (keyword == "ke") {
    material.emissive = glm::max(colourOf(rest), 0.0f);
  } else if (keyword == "ns") {
    // Blinn-Phong exponent n: alpha^2 = 2 / (n + 2), roughness^2 = alpha (Karis 2013).
    material.roughness = std::pow(2.0f / (number(0.0f, 1e6f) + 2.0f), 0.25f);
  } else if (keyword == "pm") {
    material.metallic = number(0.0f, 1.0f);
  } else if (keyword == "pr") {
    material.roughness = number(0.0f, 1.0f);
  } else if (keyword == "d") {
    stated.opacity = number(0.0f, 1.0f);
    stated.opacityStated = true;
  } else if (keyword == "tr" && !stated.opacityStated) {
    stated.opacity = 1.0f - number(0.0f, 1.0f);
    stated.transparencyStated = true;
  } else if (std::ranges::find(kReadMaps, keyword) != kReadMaps.end()) {
    if (Map map = parseMap(rest); !map.name.empty()) stated.maps.insert_or_assign(std::string(keyword), map);
  } else if (keyword.starts_with("map_") || keyword == "disp" || keyword == "decal" || keyword == "refl") {
    if (keyword != "map_ka" && keyword != "map_aat")
      addNote(model_.notes, "textures by " + excerpt(keyword, 20) + " are left out");
  }
}

int Materials::find(std::string_view name) {
  if (const auto known = byName_.find(name); known != byName_.end()) return known->second;
  addNote(model_.notes, "the material " + inQuotes(name, 100) + " is in no material file");
  const int index = defaultMaterial();
  byName_.emplace(name, index);
  return index;
}

int Materials::defaultMaterial() {
  if (defaultMaterial_ < 0) {
    defaultMaterial_ = static_cast<int>(model_.materials.size());
    add("", source_.folder);
    byName_.erase("");
  }
  return defaultMaterial_;
}

// Some programs write Tr 1 or d 0 for opaque materials. If a file has invisible materials and no opaque ones, inverts
// them.
void Materials::invertOpacities() {
  const auto invert = [&](auto counts) {
    bool invisible = false, opaque = false;
    for (const Stated& stated : stated_) {
      invisible |= counts(stated) && stated.opacity == 0.0f;
      opaque |= counts(stated) && stated.opacity == 1.0f;
    }
    if (!invisible || opaque) return;
    for (Stated& stated : stated_)
      if (counts(stated)) stated.opacity = 1.0f - stated.opacity;
    addNote(model_.notes, "all materials state that they are invisible: their opacity is inverted");
  };
  invert([](const Stated& stated) { return stated.opacityStated; });
  invert([](const Stated& stated) { return stated.transparencyStated && !stated.opacityStated; });
}

int Materials::image(const Stated& from, const std::string& name) {
  const auto [known, isNew] = images_.try_emplace({from.folder, name}, -1);
  if (!isNew) return known->second;
  progress_.throwIfCancelled();
  try {
    ModelLimits limits = source_.limits;
    limits.imageBytes -= std::min(limits.imageBytes, imageBytes_);
    ModelImage decoded = decodeImage(readReferenced(source_, from.folder, name, limits.fileBytes).bytes, limits);
    imageBytes_ += decoded.texels.size() * 4;
    known->second = static_cast<int>(model_.images.size());
    model_.images.push_back(std::move(decoded));
  } catch (const ImageBudgetExceeded&) {
    throw;
  } catch (const std::runtime_error& error) {
    addNote(model_.notes, "the texture " + inQuotes(name, 100) + " is left out: " + error.what());
  }
  return known->second;
}

TextureUse Materials::texture(const Stated& from, const char* keyword) {
  TextureUse use;
  const auto found = from.maps.find(keyword);
  if (found == from.maps.end()) return use;
  const Map& map = found->second;
  use.image = image(from, map.name);
  // ModelVertex has v downwards, the file upwards.
  use.rows = {{{map.scale.x, 0.0f, map.offset.x}, {0.0f, map.scale.y, 1.0f - map.scale.y - map.offset.y}}};
  if (map.clamp) use.wrapU = use.wrapV = Wrap::clamp;
  return use;
}

// Combines the opacity texture with the colour texture, as its alpha.
void Materials::addOpacityMap(const Stated& from, ModelMaterial& material) {
  TextureUse opacity = texture(from, "map_d");
  if (!opacity) return;
  const TextureUse colour = material.baseColourTexture;
  if (colour && colour.rows != opacity.rows)
    return addNote(model_.notes, "an opacity texture with its own transform is left out");
  const auto [known, isNew] = combined_.try_emplace({colour.image, opacity.image}, -1);
  if (isNew) {
    const ModelImage& shape = entry(model_.images, opacity.image);
    const ModelImage* const colours = colour ? &entry(model_.images, colour.image) : nullptr;
    ModelImage both;
    both.size = colours == nullptr ? shape.size : glm::max(shape.size, colours->size);
    const auto width = static_cast<std::size_t>(both.size.x), height = static_cast<std::size_t>(both.size.y);
    if (width * height * 4 > source_.limits.imageBytes - std::min(source_.limits.imageBytes, imageBytes_))
      throw ImageBudgetExceeded("all images together take too much memory");
    imageBytes_ += width * height * 4;
    const std::vector<std::uint8_t> alpha = opacities(shape);
    const auto at = [&](const ModelImage& image, std::size_t x, std::size_t y) {
      const auto w = static_cast<std::size_t>(image.size.x), h = static_cast<std::size_t>(image.size.y);
      return y * h / height * w + x * w / width;
    };
    both.texels.reserve(width * height);
    for (std::size_t y = 0; y < height; ++y)
      for (std::size_t x = 0; x < width; ++x) {
        const glm::u8vec4 rgb = colours == nullptr ? glm::u8vec4(255) : colours->texels[at(*colours, x, y)];
        both.texels.emplace_back(rgb.r, rgb.g, rgb.b, alpha[at(shape, x, y)]);
      }
    known->second = static_cast<int>(model_.images.size());
    model_.images.push_back(std::move(both));
  }
  if (!colour) material.baseColourTexture = opacity;
  material.baseColourTexture.image = known->second;
  const bool soft = isSoft(entry(model_.images, known->second));
  material.alphaMode = soft ? AlphaMode::blend : AlphaMode::mask;
  material.alphaCutoff = soft ? 0.0f : 0.5f;
}

void Materials::finish() {
  invertOpacities();
  for (std::size_t i = 0; i < stated_.size(); ++i) {
    ModelMaterial& material = model_.materials[i];
    const Stated& from = stated_[i];
    const glm::vec3 colour(material.baseColour);
    material.baseColourTexture = texture(from, "map_kd");
    if (material.baseColourTexture && (!from.colourStated || colour == glm::vec3(0.0f)))
      material.baseColour = glm::vec4(1.0f);
    material.emissiveTexture = texture(from, "map_ke");
    if (material.emissiveTexture && material.emissive == glm::vec3(0.0f)) material.emissive = glm::vec3(1.0f);
    for (const char* keyword : {"bump", "map_bump", "map_kn", "norm"}) {
      const TextureUse use = texture(from, keyword);
      if (!use) continue;
      if (!holdsNormals(entry(model_.images, use.image))) {
        addNote(model_.notes, "height maps of surfaces are left out");
        continue;
      }
      material.normalTexture = use;
      material.normalScale = from.maps.at(keyword).strength;
    }
    addOpacityMap(from, material);
    material.baseColour.a = from.opacity;
    if (from.opacity == 1.0f) continue;
    material.alphaMode = AlphaMode::blend;
    material.alphaCutoff = 0.0f;
  }
}

}  // namespace satdof::obj
