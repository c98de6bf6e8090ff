#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <functional>
#include <glm/geometric.hpp>
#include <glm/gtc/type_ptr.hpp>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <stdexcept>

#include "app/core/foreign_text.h"
#include "app/core/thread_pool.h"
#include "app/scene/model/reader.h"

// glTF 2.0 (Khronos 2021), as JSON or as GLB. Own code on the JSON library: tinygltf 2.7 of Debian 12 reads beyond the
// ends of damaged GLB files and of buffers with images.
namespace satdof {

namespace {

using Json = nlohmann::json;

constexpr std::array kKnownExtensions = {"KHR_lights_punctual",        "KHR_materials_emissive_strength",
                                         "KHR_materials_unlit",        "KHR_mesh_quantization",
                                         "KHR_materials_transmission", "KHR_texture_transform"};

[[noreturn]] void fail(const std::string& where, const std::string& what) {
  throw std::runtime_error(where.empty() ? what : where + ": " + what);
}

// A value of the document with its name for messages: "meshes[2].primitives[0]".
class Item {
 public:
  Item(const Json& json, std::string where) : json_(&json), where_(std::move(where)) {}

  const std::string& where() const { return where_; }
  std::string whereOf(const char* key) const { return where_.empty() ? key : where_ + "." + key; }
  bool has(const char* key) const { return find(key) != nullptr; }

  // An integer from `low` to `high`; `otherwise` if the key is missing.
  std::int64_t integer(const char* key, std::int64_t otherwise, std::int64_t low, std::int64_t high) const {
    const Json* found = find(key);
    if (found == nullptr) return otherwise;
    // Some exporters write 3.0.
    const bool whole =
        found->is_number_integer() || (found->is_number_float() && std::abs(found->get<double>()) < 1e15 &&
                                       std::trunc(found->get<double>()) == found->get<double>());
    const auto tooLarge =
        found->is_number_unsigned() && found->get<std::uint64_t>() > std::uint64_t(INT64_MAX);
    const std::int64_t value = whole && !tooLarge ? found->get<std::int64_t>() : low - 1;
    if (value < low || value > high)
      fail(whereOf(key), "must be an integer from " + std::to_string(low) + " to " + std::to_string(high));
    return value;
  }
  // An index into a list of `size` entries; -1 if the key is missing.
  int index(const char* key, std::size_t size) const {
    if (has(key) && size == 0) fail(whereOf(key), "names an entry of an empty list");
    return static_cast<int>(integer(key, -1, 0, static_cast<std::int64_t>(size) - 1));
  }
  int neededIndex(const char* key, std::size_t size) const {
    if (!has(key)) fail(whereOf(key), "is missing");
    return index(key, size);
  }
  float number(const char* key, float otherwise) const {
    const Json* found = find(key);
    return found == nullptr ? otherwise : asNumber(*found, key);
  }
  float numberWithin(const char* key, float otherwise, float low, float high) const {
    return std::clamp(number(key, otherwise), low, high);
  }
  bool flag(const char* key) const {
    const Json* found = find(key);
    return found != nullptr && found->is_boolean() && found->get<bool>();
  }
  std::string text(const char* key) const {
    const Json* found = find(key);
    return found != nullptr && found->is_string() ? found->get<std::string>() : std::string();
  }
  // Numbers of any count up to `most`.
  std::vector<float> numbers(const char* key, std::size_t most) const {
    std::vector<float> values;
    const Json* found = find(key);
    if (found == nullptr) return values;
    if (!found->is_array() || found->size() > most)
      fail(whereOf(key), "must be at most " + std::to_string(most) + " numbers");
    for (const Json& value : *found) values.push_back(asNumber(value, key));
    return values;
  }
  // N numbers; none if the key is missing.
  template <int N>
  std::optional<std::array<float, N>> numbers(const char* key) const {
    const Json* found = find(key);
    if (found == nullptr) return std::nullopt;
    if (!found->is_array() || found->size() != N)
      fail(whereOf(key), "must be " + std::to_string(N) + " numbers");
    std::array<float, N> values;
    for (std::size_t i = 0; i < N; ++i) values[i] = asNumber((*found)[i], key);
    return values;
  }
  std::optional<Item> object(const char* key) const {
    const Json* found = find(key);
    if (found == nullptr) return std::nullopt;
    if (!found->is_object()) fail(whereOf(key), "must be an object");
    return Item(*found, whereOf(key));
  }
  // The extension; none if there is none.
  std::optional<Item> extension(const char* name) const {
    const auto all = object("extensions");
    return all ? all->object(name) : std::nullopt;
  }
  // A list of indices below `size`.
  std::vector<int> indices(const char* key, std::size_t size) const {
    std::vector<int> result;
    const Json* found = find(key);
    if (found == nullptr) return result;
    if (!found->is_array()) fail(whereOf(key), "must be a list");
    for (const Json& value : *found) {
      if (!value.is_number_unsigned() || value.get<std::uint64_t>() >= size)
        fail(whereOf(key), "must be indices below " + std::to_string(size));
      result.push_back(value.get<int>());
    }
    return result;
  }
  // The entries of a list of objects.
  std::vector<Item> list(const char* key, std::size_t most) const {
    std::vector<Item> result;
    const Json* found = find(key);
    if (found == nullptr) return result;
    if (!found->is_array()) fail(whereOf(key), "must be a list");
    if (found->size() > most)
      fail(whereOf(key),
           "has " + std::to_string(found->size()) + " entries; the limit is " + std::to_string(most));
    result.reserve(found->size());
    for (const Json& value : *found) {
      std::string where = whereOf(key);
      where.append("[").append(std::to_string(result.size())).append("]");
      if (!value.is_object()) fail(where, "must be an object");
      result.emplace_back(value, std::move(where));
    }
    return result;
  }
  const Json* find(const char* key) const {
    if (!json_->is_object()) return nullptr;
    const auto found = json_->find(key);
    return found == json_->end() || found->is_null() ? nullptr : &*found;
  }

 private:
  float asNumber(const Json& value, const char* key) const {
    if (!value.is_number()) fail(whereOf(key), "must be a number");
    const float number = value.get<float>();
    if (!std::isfinite(number)) fail(whereOf(key), "must be a finite number");
    return number;
  }
  const Json* json_;
  std::string where_;
};

template <int N>
glm::vec<N, float> vec(const std::array<float, N>& values) {
  glm::vec<N, float> result;
  for (int i = 0; i < N; ++i) result[i] = values[static_cast<std::size_t>(i)];
  return result;
}

std::uint32_t littleEndian(std::string_view bytes, std::size_t at) {
  std::uint32_t value = 0;
  for (std::size_t i = 0; i < 4; ++i)
    value |= static_cast<std::uint32_t>(static_cast<unsigned char>(bytes[at + i])) << (8 * i);
  return value;
}

// The JSON and the binary chunk of a file.
struct Chunks {
  std::string_view json, binary;
};

Chunks splitGlb(std::string_view bytes) {
  constexpr std::uint32_t kJson = 0x4e4f534a, kBinary = 0x004e4942;
  if (bytes.size() < 20) fail("", "the GLB header is cut off");
  if (const auto version = littleEndian(bytes, 4); version != 2)
    fail("", "GLB version " + std::to_string(version) + "; only version 2 is known");
  bytes = bytes.substr(0, littleEndian(bytes, 8));
  Chunks chunks;
  std::size_t at = 12;
  while (at + 8 <= bytes.size()) {
    const std::size_t length = littleEndian(bytes, at);
    const std::uint32_t kind = littleEndian(bytes, at + 4);
    if (length > bytes.size() - at - 8) fail("", "a GLB chunk ends beyond the file");
    const std::string_view chunk = bytes.substr(at + 8, length);
    if (kind == kJson && chunks.json.data() == nullptr) chunks.json = chunk;
    if (kind == kBinary && chunks.binary.data() == nullptr) chunks.binary = chunk;
    at += 8 + (length + 3) / 4 * 4;
  }
  if (chunks.json.empty()) fail("", "the GLB has no JSON chunk");
  return chunks;
}

std::string decodeBase64(std::string_view text, const std::string& where) {
  constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  while (text.ends_with('=')) text.remove_suffix(1);
  std::string bytes;
  bytes.reserve(text.size() * 3 / 4);
  std::uint32_t bits = 0;
  int held = 0;
  for (const char c : text) {
    const auto digit = kDigits.find(c);
    if (digit == kDigits.npos) fail(where, "is no base64");
    bits = bits << 6 | static_cast<std::uint32_t>(digit);
    held += 6;
    if (held < 8) continue;
    held -= 8;
    bytes += static_cast<char>(bits >> held & 0xff);
  }
  return bytes;
}

struct View {
  std::string_view bytes;
  std::size_t stride = 0;  // 0: packed
};

// Typed values in a buffer.
struct Accessor {
  std::string where;
  std::size_t count = 0, components = 1, componentBytes = 4, stride = 4;
  int componentType = 5126;
  bool normalized = false;
  const char* data = nullptr;  // null: zeros
};

float component(const Accessor& accessor, const char* at) {
  const auto read = [&]<class T>(T value) {
    std::memcpy(&value, at, sizeof value);
    const auto number = static_cast<float>(value);
    if constexpr (std::is_same_v<T, float>) return number;
    if (!accessor.normalized) return number;
    return std::max(number / static_cast<float>(std::numeric_limits<T>::max()), -1.0f);
  };
  switch (accessor.componentType) {
    case 5120:
      return read(std::int8_t{});
    case 5121:
      return read(std::uint8_t{});
    case 5122:
      return read(std::int16_t{});
    case 5123:
      return read(std::uint16_t{});
    case 5125:
      return read(std::uint32_t{});
    default:
      return read(0.0f);
  }
}

std::uint32_t unsignedComponent(const Accessor& accessor, const char* at) {
  const auto read = [&]<class T>(T value) {
    std::memcpy(&value, at, sizeof value);
    return static_cast<std::uint32_t>(value);
  };
  switch (accessor.componentType) {
    case 5121:
      return read(std::uint8_t{});
    case 5123:
      return read(std::uint16_t{});
    case 5125:
      return read(std::uint32_t{});
    default:
      fail(accessor.where, "must have unsigned integers");
  }
}

static_assert(std::endian::native == std::endian::little, "component() reads the file's byte order");

class Reader {
 public:
  Reader(const ModelSource& source, LoadProgress& progress) : source_(source), progress_(progress) {}

  ModelData read() {
    progress_.report(0.05f, "reading the description");
    Chunks chunks{source_.bytes, {}};
    if (source_.bytes.starts_with("glTF")) chunks = splitGlb(source_.bytes);
    if (chunks.json.size() > source_.limits.jsonBytes) fail("", "the description is larger than 256 MB");
    const Json document = parse(chunks.json);
    const Item root(document, "");
    requireVersion(root);
    readBuffers(root, chunks.binary);
    readViews(root);
    accessors_ = root.list("accessors", source_.limits.items * 10);
    readImages(root);
    readMaterials(root);
    readNodes(root);
    readSkins(root);
    readMeshes(root);
    setMorphWeights(root);
    readClips(root);
    decodeImages();
    return std::move(model_);
  }

 private:
  static Json parse(std::string_view text) {
    if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);
    try {
      return Json::parse(text);
    } catch (const Json::exception& error) {
      const std::string what = error.what();
      const auto start = what.find("] ");
      fail("", "damaged JSON: " +
                   excerpt(std::string_view(what).substr(start == what.npos ? 0 : start + 2), 200));
    }
  }

  void requireVersion(const Item& root) {
    const auto asset = root.object("asset");
    const std::string version = asset ? asset->text("version") : std::string();
    if (!version.starts_with("2.")) fail("asset.version", "must be 2.x: only glTF 2 is known");
    if (const Json* required = root.find("extensionsRequired"); required != nullptr && required->is_array())
      for (const Json& name : *required)
        if (!name.is_string() ||
            std::ranges::none_of(kKnownExtensions, [&](const char* known) { return name == known; }))
          fail("extensionsRequired", "needs " + inQuotes(name.is_string() ? name.get<std::string>() : "?") +
                                         ", which satdof does not know");
  }

  // The bytes that a URI names.
  std::string bytesOf(const std::string& uri, const std::string& where) {
    constexpr std::string_view kMarker = ";base64,";
    std::string bytes;
    if (uri.starts_with("data:")) {
      const auto marker = uri.find(kMarker);
      if (marker == uri.npos) fail(where, "must be a base64 data URI");
      bytes = decodeBase64(std::string_view(uri).substr(marker + kMarker.size()), where);
    } else {
      bytes = readBeside(source_.folder, uri,
                         source_.limits.fileBytes - std::min(read_, source_.limits.fileBytes));
    }
    read_ += bytes.size();
    return bytes;
  }

  void readBuffers(const Item& root, std::string_view binary) {
    read_ = source_.bytes.size();
    for (const Item& buffer : root.list("buffers", source_.limits.items)) {
      progress_.report(0.1f, "reading buffers");
      const auto length = static_cast<std::size_t>(buffer.integer("byteLength", 0, 0, INT64_MAX));
      std::string_view bytes = binary;
      if (const std::string uri = buffer.text("uri"); !uri.empty()) {
        owned_.push_back(std::make_unique<std::string>(bytesOf(uri, buffer.whereOf("uri"))));
        bytes = *owned_.back();
      } else if (!buffers_.empty()) {
        bytes = {};  // only the first buffer may be the binary chunk
      }
      if (bytes.size() < length)
        fail(buffer.where(),
             "has " + std::to_string(bytes.size()) + " of " + std::to_string(length) + " bytes");
      buffers_.push_back(bytes.substr(0, length));
    }
  }

  void readViews(const Item& root) {
    for (const Item& view : root.list("bufferViews", source_.limits.items * 10)) {
      const auto buffer = buffers_[static_cast<std::size_t>(view.neededIndex("buffer", buffers_.size()))];
      const auto size = static_cast<std::int64_t>(buffer.size());
      const auto offset = view.integer("byteOffset", 0, 0, size);
      const auto length = view.integer("byteLength", 0, 0, size - offset);
      views_.push_back({buffer.substr(static_cast<std::size_t>(offset), static_cast<std::size_t>(length)),
                        static_cast<std::size_t>(view.integer("byteStride", 0, 0, 252))});
    }
  }

  // `components`: what the caller expects, in numbers.
  Accessor accessor(int index, std::initializer_list<std::size_t> components, std::size_t mostCount) const {
    static const std::map<std::string, std::size_t, std::less<>> kTypes = {
        {"SCALAR", 1}, {"VEC2", 2}, {"VEC3", 3}, {"VEC4", 4}, {"MAT4", 16}};
    const Item& item = accessors_[static_cast<std::size_t>(index)];
    Accessor a;
    a.where = item.where();
    a.count = static_cast<std::size_t>(item.integer("count", 0, 0, static_cast<std::int64_t>(mostCount)));
    a.componentType = static_cast<int>(item.integer("componentType", 0, 5120, 5126));
    a.normalized = item.flag("normalized");
    const auto type = kTypes.find(item.text("type"));
    if (type == kTypes.end() || std::ranges::find(components, type->second) == components.end())
      fail(item.whereOf("type"), "does not fit its use");
    a.components = type->second;
    switch (a.componentType) {
      case 5120:
      case 5121:
        a.componentBytes = 1;
        break;
      case 5122:
      case 5123:
        a.componentBytes = 2;
        break;
      case 5124:
        fail(item.whereOf("componentType"), "must be 5120 to 5123, 5125 or 5126");
      default:
        a.componentBytes = 4;
    }
    const std::size_t element = a.components * a.componentBytes;
    a.stride = element;
    if (!item.has("bufferView")) return a;
    const View& view = views_[static_cast<std::size_t>(item.index("bufferView", views_.size()))];
    const auto viewSize = static_cast<std::int64_t>(view.bytes.size());
    const auto offset = static_cast<std::size_t>(item.integer("byteOffset", 0, 0, viewSize));
    if (view.stride != 0) a.stride = view.stride;
    if (a.stride < element) fail(item.where(), "has elements larger than the stride");
    const std::size_t room = view.bytes.size() - offset;
    if (a.count > 0 && (room < element || (room - element) / a.stride < a.count - 1))
      fail(item.where(), "ends beyond its buffer view");
    a.data = view.bytes.data() + offset;
    return a;
  }

  // Calls set(element, component, value) for all elements, then for the sparse ones.
  template <class Set>
  void forEachFloat(int index, const Accessor& a, Set&& set) const {
    for (std::size_t i = 0; i < a.count; ++i)
      for (std::size_t c = 0; c < a.components; ++c)
        set(i, c,
            a.data == nullptr ? 0.0f : finite(component(a, a.data + i * a.stride + c * a.componentBytes)));
    const auto sparse = accessors_[static_cast<std::size_t>(index)].object("sparse");
    if (!sparse) return;
    const auto count =
        static_cast<std::size_t>(sparse->integer("count", 0, 0, static_cast<std::int64_t>(a.count)));
    const auto indices = sparse->object("indices"), values = sparse->object("values");
    if (!indices || !values) fail(sparse->where(), "needs indices and values");
    Accessor at, value = a;
    at.where = indices->where();
    at.componentType = static_cast<int>(indices->integer("componentType", 0, 5121, 5125));
    at.componentBytes = at.componentType == 5121 ? 1 : at.componentType == 5123 ? 2 : 4;
    at.data = sparseData(*indices, count * at.componentBytes);
    value.data = sparseData(*values, count * a.components * a.componentBytes);
    for (std::size_t k = 0; k < count; ++k) {
      const std::size_t i = unsignedComponent(at, at.data + k * at.componentBytes);
      if (i >= a.count) fail(indices->where(), "has an index beyond the accessor");
      for (std::size_t c = 0; c < a.components; ++c)
        set(i, c, finite(component(value, value.data + (k * a.components + c) * a.componentBytes)));
    }
  }

  const char* sparseData(const Item& item, std::size_t bytes) const {
    const View& view = views_[static_cast<std::size_t>(item.neededIndex("bufferView", views_.size()))];
    const auto offset = static_cast<std::size_t>(
        item.integer("byteOffset", 0, 0, static_cast<std::int64_t>(view.bytes.size())));
    if (view.bytes.size() - offset < bytes) fail(item.where(), "ends beyond its buffer view");
    return view.bytes.data() + offset;
  }

  static float finite(float value) { return std::isfinite(value) ? value : 0.0f; }

  std::vector<float> floats(int index, std::initializer_list<std::size_t> components,
                            std::size_t mostCount) const {
    const Accessor a = accessor(index, components, mostCount);
    std::vector<float> values(a.count * a.components);
    forEachFloat(index, a, [&](std::size_t i, std::size_t c, float v) { values[i * a.components + c] = v; });
    return values;
  }

  void readImages(const Item& root) {
    for (const Item& image : root.list("images", source_.limits.items)) {
      std::string_view bytes;
      if (const std::string uri = image.text("uri"); !uri.empty()) {
        owned_.push_back(std::make_unique<std::string>(bytesOf(uri, image.whereOf("uri"))));
        bytes = *owned_.back();
      } else {
        bytes = views_[static_cast<std::size_t>(image.neededIndex("bufferView", views_.size()))].bytes;
      }
      encoded_.push_back({bytes, image.where()});
    }
    const auto samplers = root.list("samplers", source_.limits.items);
    for (const Item& texture : root.list("textures", source_.limits.items)) {
      TextureUse use;
      use.image = texture.index("source", encoded_.size());
      if (texture.has("sampler")) {
        const Item& sampler = samplers[static_cast<std::size_t>(texture.index("sampler", samplers.size()))];
        const auto wrap = [&](const char* key) {
          const auto value = sampler.integer(key, 10497, 0, 65535);
          return value == 33071 ? Wrap::clamp : value == 33648 ? Wrap::mirror : Wrap::repeat;
        };
        use.wrapU = wrap("wrapS");
        use.wrapV = wrap("wrapT");
        use.nearest = sampler.integer("magFilter", 9729, 0, 65535) == 9728;
      }
      textures_.push_back(use);
    }
  }

  TextureUse texture(const std::optional<Item>& item, const char* key) {
    const auto info = item ? item->object(key) : std::nullopt;
    if (!info) return {};
    TextureUse use = textures_[static_cast<std::size_t>(info->neededIndex("index", textures_.size()))];
    use.uvSet = static_cast<int>(info->integer("texCoord", 0, 0, 1));
    if (const auto transform = info->extension("KHR_texture_transform")) {
      use.uvSet = static_cast<int>(transform->integer("texCoord", use.uvSet, 0, 1));
      const auto offset = transform->numbers<2>("offset").value_or(std::array{0.0f, 0.0f});
      const auto scale = transform->numbers<2>("scale").value_or(std::array{1.0f, 1.0f});
      // Counter-clockwise in coordinates whose v grows downwards.
      const float angle = transform->number("rotation", 0.0f), c = std::cos(angle), s = std::sin(angle);
      use.rows = {{{c * scale[0], s * scale[1], offset[0]}, {-s * scale[0], c * scale[1], offset[1]}}};
    }
    return use;
  }

  void readMaterials(const Item& root) {
    for (const Item& item : root.list("materials", source_.limits.items)) {
      ModelMaterial m;
      m.name = item.text("name");
      const auto pbr = item.object("pbrMetallicRoughness");
      if (pbr) {
        if (const auto colour = pbr->numbers<4>("baseColorFactor")) m.baseColour = vec<4>(*colour);
        m.baseColour = glm::clamp(m.baseColour, 0.0f, 1.0f);
        m.metallic = pbr->numberWithin("metallicFactor", 1.0f, 0.0f, 1.0f);
        m.roughness = pbr->numberWithin("roughnessFactor", 1.0f, 0.0f, 1.0f);
      }
      m.baseColourTexture = texture(pbr, "baseColorTexture");
      m.metallicRoughnessTexture = texture(pbr, "metallicRoughnessTexture");
      m.normalTexture = texture(item, "normalTexture");
      m.occlusionTexture = texture(item, "occlusionTexture");
      m.emissiveTexture = texture(item, "emissiveTexture");
      if (const auto normal = item.object("normalTexture")) m.normalScale = normal->number("scale", 1.0f);
      if (const auto occlusion = item.object("occlusionTexture"))
        m.occlusionStrength = occlusion->numberWithin("strength", 1.0f, 0.0f, 1.0f);
      if (const auto colour = item.numbers<3>("emissiveFactor")) m.emissive = glm::max(vec<3>(*colour), 0.0f);
      if (const auto strength = item.extension("KHR_materials_emissive_strength"))
        m.emissive *= strength->numberWithin("emissiveStrength", 1.0f, 0.0f, 1e4f);
      const std::string mode = item.text("alphaMode");
      m.alphaMode = mode == "MASK" ? AlphaMode::mask : mode == "BLEND" ? AlphaMode::blend : AlphaMode::opaque;
      m.alphaCutoff = item.number("alphaCutoff", 0.5f);
      m.doubleSided = item.flag("doubleSided");
      m.unlit = item.extension("KHR_materials_unlit").has_value();
      // Glass: no refraction, but its reflections and a part of its colour stay.
      if (const auto glass = item.extension("KHR_materials_transmission")) {
        const float passed = glass->numberWithin("transmissionFactor", 0.0f, 0.0f, 1.0f);
        if (passed > 0.0f && m.alphaMode == AlphaMode::opaque) {
          m.alphaMode = AlphaMode::blend;
          m.baseColour.a *= 1.0f - 0.9f * passed;
          note("transmission is drawn as blending, without refraction");
        }
      }
      model_.materials.push_back(m);
    }
  }

  // Parents first: from the roots of the scene, then whatever the scene leaves out, which is not drawn.
  void readNodes(const Item& root) {
    const auto nodes = root.list("nodes", source_.limits.nodes);
    const auto scenes = root.list("scenes", source_.limits.items);
    const std::size_t meshCount = root.list("meshes", source_.limits.items).size();
    const std::size_t skinCount = root.list("skins", source_.limits.items).size();
    const auto cameras = root.list("cameras", source_.limits.items);
    std::vector<Item> lightItems;
    if (const auto lights = root.extension("KHR_lights_punctual"))
      lightItems = lights->list("lights", source_.limits.items);
    newIndex_.assign(nodes.size(), -1);
    std::vector<int> order;
    const auto visit = [&](int start, bool drawn) {
      if (newIndex_[static_cast<std::size_t>(start)] >= 0)
        fail(nodes[static_cast<std::size_t>(start)].where(),
             "is the root of a scene and the child of a node");
      const std::size_t first = order.size();
      const auto append = [&](int node, int parent) {
        newIndex_[static_cast<std::size_t>(node)] = static_cast<int>(order.size());
        order.push_back(node);
        model_.nodes.emplace_back();
        model_.nodes.back().parent = parent;
        drawn_.push_back(drawn);
      };
      append(start, -1);
      for (std::size_t at = first; at < order.size(); ++at) {
        const Item& item = nodes[static_cast<std::size_t>(order[at])];
        for (const int child : item.indices("children", nodes.size())) {
          if (newIndex_[static_cast<std::size_t>(child)] >= 0)
            fail(item.where(),
                 "the child " + std::to_string(child) + " has two parents or is its own ancestor");
          append(child, static_cast<int>(at));
        }
      }
    };
    const int scene = scenes.empty() ? -1 : std::max(root.index("scene", scenes.size()), 0);
    if (scene >= 0) {
      for (const int start : scenes[static_cast<std::size_t>(scene)].indices("nodes", nodes.size()))
        visit(start, true);
    }
    std::vector<bool> child(nodes.size());
    for (const Item& node : nodes)
      for (const int index : node.indices("children", nodes.size()))
        child[static_cast<std::size_t>(index)] = true;
    for (std::size_t i = 0; i < nodes.size(); ++i)
      if (newIndex_[i] < 0 && !child[i]) visit(static_cast<int>(i), scene < 0);
    if (order.size() != nodes.size()) fail("nodes", "some nodes are their own ancestors");

    for (std::size_t at = 0; at < order.size(); ++at) {
      const Item& item = nodes[static_cast<std::size_t>(order[at])];
      ModelNode& node = model_.nodes[at];
      node.name = item.text("name");
      if (const auto matrix = item.numbers<16>("matrix")) node.matrix = glm::make_mat4(matrix->data());
      if (const auto v = item.numbers<3>("translation")) node.placement.translation = vec<3>(*v);
      if (const auto v = item.numbers<3>("scale")) node.placement.scale = vec<3>(*v);
      if (const auto v = item.numbers<4>("rotation")) {
        const glm::quat turn((*v)[3], (*v)[0], (*v)[1], (*v)[2]);
        if (glm::dot(turn, turn) > 0.0f) node.placement.rotation = glm::normalize(turn);
      }
      if (!drawn_[at]) continue;
      node.mesh = item.index("mesh", meshCount);
      node.skin = item.index("skin", skinCount);
      if (item.has("weights")) weightsOf_[at] = item.numbers("weights", source_.limits.morphWeights);
      if (const int camera = item.index("camera", cameras.size()); camera >= 0)
        addCamera(cameras[static_cast<std::size_t>(camera)], static_cast<int>(at));
      if (const auto light = item.extension("KHR_lights_punctual"))
        addLight(lightItems[static_cast<std::size_t>(light->neededIndex("light", lightItems.size()))],
                 static_cast<int>(at));
    }
  }

  void addCamera(const Item& item, int node) {
    const auto perspective = item.object("perspective");
    if (!perspective) return note("orthographic cameras are left out");
    const auto extras = item.find("extras") != nullptr && item.find("extras")->is_object()
                            ? item.object("extras")
                            : std::nullopt;
    model_.cameras.push_back(
        {item.text("name").empty() ? model_.nodes[static_cast<std::size_t>(node)].name : item.text("name"),
         node, perspective->numberWithin("yfov", 0.8f, 0.02f, 2.5f),
         extras ? extras->numberWithin("focusDistance", 0.0f, 0.0f, 1e4f) : 0.0f});
  }

  void addLight(const Item& item, int node) {
    ModelLight light;
    const std::string type = item.text("type");
    light.kind = type == "directional" ? LightKind::directional
                 : type == "spot"      ? LightKind::spot
                                       : LightKind::point;
    light.node = node;
    if (const auto colour = item.numbers<3>("color")) light.colour = glm::max(vec<3>(*colour), 0.0f);
    light.colour *= item.numberWithin("intensity", 1.0f, 0.0f, 1e6f);
    light.rangeM = item.numberWithin("range", 0.0f, 0.0f, 1e9f);
    if (const auto spot = item.object("spot")) {
      light.innerCone = spot->numberWithin("innerConeAngle", 0.0f, 0.0f, 1.5707f);
      light.outerCone = spot->numberWithin("outerConeAngle", 0.785398f, light.innerCone + 1e-3f, 1.5708f);
    }
    model_.lights.push_back(light);
  }

  void readSkins(const Item& root) {
    for (const Item& item : root.list("skins", source_.limits.items)) {
      ModelSkin skin;
      for (const int joint : item.indices("joints", newIndex_.size()))
        skin.joints.push_back(newIndex_[static_cast<std::size_t>(joint)]);
      if (skin.joints.empty() || skin.joints.size() > source_.limits.joints)
        fail(item.whereOf("joints"), "must be 1 to " + std::to_string(source_.limits.joints));
      skin.inverseBinding.assign(skin.joints.size(), glm::mat4(1.0f));
      if (const int index = item.index("inverseBindMatrices", accessors_.size()); index >= 0) {
        const auto values = floats(index, {16}, source_.limits.joints);
        if (values.size() < 16 * skin.joints.size()) fail(item.where(), "has fewer matrices than joints");
        for (std::size_t i = 0; i < skin.joints.size(); ++i)
          skin.inverseBinding[i] = glm::make_mat4(&values[16 * i]);
      }
      model_.skins.push_back(std::move(skin));
    }
  }

  void readMeshes(const Item& root) {
    const auto meshes = root.list("meshes", source_.limits.items);
    for (const Item& item : meshes) {
      progress_.report(
          0.15f + 0.35f * static_cast<float>(model_.meshes.size()) / static_cast<float>(meshes.size()),
          "reading meshes");
      ModelMesh mesh;
      mesh.name = item.text("name");
      for (const Item& primitive : item.list("primitives", source_.limits.items))
        readPrimitive(primitive, mesh);
      model_.meshes.push_back(std::move(mesh));
    }
    if (!model_.weights.empty()) model_.weights.resize(model_.vertices.size());
  }

  // The weights of a node, else of its mesh, else zeros.
  void setMorphWeights(const Item& root) {
    const auto meshes = root.list("meshes", source_.limits.items);
    for (std::size_t i = 0; i < model_.nodes.size(); ++i) {
      ModelNode& node = model_.nodes[i];
      node.firstWeight = model_.morphWeights.size();
      if (node.mesh < 0) continue;
      const auto mesh = static_cast<std::size_t>(node.mesh);
      const std::size_t count = model_.meshes[mesh].targets;
      if (count == 0) continue;
      if (count > source_.limits.morphWeights - model_.morphWeights.size())
        fail(meshes[mesh].where(), "has too many morph targets");
      const auto own = weightsOf_.find(i);
      auto weights = own != weightsOf_.end() ? own->second
                                             : meshes[mesh].numbers("weights", source_.limits.morphWeights);
      weights.resize(count);
      model_.morphWeights.insert(model_.morphWeights.end(), weights.begin(), weights.end());
    }
  }

  // Reads the morph targets of a primitive. `from`: the vertex of the file for each vertex of the primitive; empty: the
  // same.
  void readTargets(const Item& item, std::size_t vertices, const std::vector<std::uint32_t>& from,
                   Primitive& primitive) {
    const auto targets = item.list("targets", source_.limits.items);
    displaced_ += std::max<std::size_t>(primitive.vertices, vertices) * targets.size();
    if (displaced_ > source_.limits.displacements)
      fail(item.whereOf("targets"), "displace more than " + std::to_string(source_.limits.displacements) +
                                        " vertices, with those before");
    for (const Item& target : targets) {
      progress_.throwIfCancelled();
      std::vector<Displacement> read(vertices);
      const auto fill = [&](const char* name, auto member) {
        const int index = target.index(name, accessors_.size());
        if (index < 0) return;
        const Accessor a = accessor(index, {3}, vertices);
        if (a.count != vertices) fail(a.where, "has another number of elements than POSITION");
        forEachFloat(index, a, [&](std::size_t i, std::size_t c, float v) {
          (read[i].*member)[static_cast<int>(c)] = std::clamp(v, -1e9f, 1e9f);
        });
      };
      fill("POSITION", &Displacement::position);
      fill("NORMAL", &Displacement::normal);
      MorphTarget added{static_cast<std::uint32_t>(model_.displacements.size()), {}};
      for (std::size_t i = 0; i < primitive.vertices; ++i) {
        const Displacement& by = read[from.empty() ? i : from[i]];
        added.displacement.add(by.position);
        model_.displacements.push_back(by);
      }
      primitive.targets.push_back(added);
    }
  }

  // The vertices of the attributes of a primitive; primitives that share attributes share vertices.
  struct Range {
    std::size_t first = 0, count = 0;
    bool normals = false, tangents = false, skinned = false;
  };

  Range readVertices(const Item& primitive) {
    const auto attributes = primitive.object("attributes");
    if (!attributes) fail(primitive.where(), "has no attributes");
    constexpr std::array kNames = {"POSITION",   "NORMAL",  "TANGENT",  "TEXCOORD_0",
                                   "TEXCOORD_1", "COLOR_0", "JOINTS_0", "WEIGHTS_0"};
    std::array<int, kNames.size()> key;
    for (std::size_t i = 0; i < kNames.size(); ++i) key[i] = attributes->index(kNames[i], accessors_.size());
    if (const auto known = ranges_.find(key); known != ranges_.end()) return known->second;
    const auto [position, normal, tangent, uv0, uv1, colour, joints, weights] = key;
    if (position < 0) fail(attributes->where(), "has no POSITION");

    Range range;
    range.first = model_.vertices.size();
    range.count = accessor(position, {3}, source_.limits.vertices - range.first).count;
    range.normals = normal >= 0;
    range.tangents = tangent >= 0;
    range.skinned = joints >= 0 && weights >= 0;
    model_.vertices.resize(range.first + range.count);
    const auto fill = [&](int index, std::initializer_list<std::size_t> components, auto set) {
      if (index < 0) return;
      progress_.throwIfCancelled();
      const Accessor a = accessor(index, components, range.count);
      if (a.count != range.count) fail(a.where, "has another number of elements than POSITION");
      forEachFloat(index, a, [&](std::size_t i, std::size_t c, float v) {
        set(model_.vertices[range.first + i], static_cast<int>(c), v);
      });
    };
    fill(position, {3},
         [](ModelVertex& vertex, int c, float v) { vertex.position[c] = std::clamp(v, -1e9f, 1e9f); });
    fill(normal, {3}, [](ModelVertex& vertex, int c, float v) { vertex.normal[c] = v; });
    fill(tangent, {4}, [](ModelVertex& vertex, int c, float v) { vertex.tangent[c] = v; });
    fill(uv0, {2}, [](ModelVertex& vertex, int c, float v) { vertex.uv[c] = v; });
    fill(uv1, {2}, [](ModelVertex& vertex, int c, float v) { vertex.uv[2 + c] = v; });
    fill(colour, {3, 4}, [](ModelVertex& vertex, int c, float v) {
      vertex.colour[c] = static_cast<std::uint16_t>(std::lround(std::clamp(v, 0.0f, 1.0f) * 65535.0f));
    });
    for (auto& vertex : std::span(model_.vertices).subspan(range.first))
      if (const float length = glm::length(vertex.normal); length > 0.0f)
        vertex.normal /= length;
      else
        vertex.normal = {0.0f, 1.0f, 0.0f};
    if (range.skinned) readWeights(range, joints, weights);
    ranges_.emplace(key, range);
    return range;
  }

  void readWeights(const Range& range, int joints, int weights) {
    model_.weights.resize(range.first + range.count);
    const auto at = std::span(model_.weights).subspan(range.first);
    const Accessor j = accessor(joints, {4}, range.count), w = accessor(weights, {4}, range.count);
    if (j.count != range.count || w.count != range.count)
      fail(j.where, "has another number of elements than POSITION");
    forEachFloat(joints, j, [&](std::size_t i, std::size_t c, float v) {
      at[i].joints[static_cast<int>(c)] = static_cast<std::uint16_t>(std::clamp(v, 0.0f, 65535.0f));
    });
    forEachFloat(weights, w, [&](std::size_t i, std::size_t c, float v) {
      at[i].weights[static_cast<int>(c)] = std::clamp(v, 0.0f, 1e6f);
    });
    for (ModelWeights& vertex : at) {
      const float sum = vertex.weights.x + vertex.weights.y + vertex.weights.z + vertex.weights.w;
      vertex.weights = sum > 0.0f ? vertex.weights / sum : glm::vec4(1.0f, 0.0f, 0.0f, 0.0f);
    }
  }

  std::string tooManyTriangles() const {
    return "exceeds the limit of " + std::to_string(source_.limits.triangles) + " triangles";
  }

  std::vector<std::uint32_t> readIndices(const Item& primitive, const Range& range) {
    std::vector<std::uint32_t> indices;
    const std::size_t most = 3 * source_.limits.triangles - model_.indices.size();
    if (const int index = primitive.index("indices", accessors_.size()); index >= 0) {
      if (accessors_[static_cast<std::size_t>(index)].integer("count", 0, 0, INT64_MAX) >
          static_cast<std::int64_t>(most))
        fail(primitive.where(), tooManyTriangles());
      const Accessor a = accessor(index, {1}, most);
      indices.resize(a.count);
      for (std::size_t i = 0; i < a.count && a.data != nullptr; ++i) {
        indices[i] = unsignedComponent(a, a.data + i * a.stride);
        if (indices[i] >= range.count) fail(a.where, "has an index beyond the vertices");
      }
      if (a.data == nullptr && range.count == 0) indices.clear();
    } else {
      if (range.count > most) fail(primitive.where(), tooManyTriangles());
      indices.resize(range.count);
      for (std::size_t i = 0; i < indices.size(); ++i) indices[i] = static_cast<std::uint32_t>(i);
    }
    const auto mode = primitive.integer("mode", 4, 0, 6);
    if (mode < 4) {
      note("points and lines are left out");
      return {};
    }
    if (mode == 4) {
      indices.resize(indices.size() / 3 * 3);
      return indices;
    }
    if (indices.size() < 3) return {};
    if (indices.size() - 2 > most / 3) fail(primitive.where(), tooManyTriangles());
    std::vector<std::uint32_t> triangles;
    triangles.reserve(3 * (indices.size() - 2));
    for (std::size_t i = 0; i + 2 < indices.size(); ++i) {
      const bool odd = i % 2 == 1;
      if (mode == 5)
        triangles.insert(triangles.end(),
                         {indices[i], indices[i + (odd ? 2 : 1)], indices[i + (odd ? 1 : 2)]});
      else
        triangles.insert(triangles.end(), {indices[0], indices[i + 1], indices[i + 2]});
    }
    return triangles;
  }

  void readPrimitive(const Item& item, ModelMesh& mesh) {
    Range range = readVertices(item);
    const std::size_t vertices = range.count;
    const auto indices = readIndices(item, range);
    if (indices.empty()) return;
    Primitive primitive;
    primitive.firstIndex = static_cast<std::uint32_t>(model_.indices.size());
    primitive.indices = static_cast<std::uint32_t>(indices.size());
    primitive.skinned = range.skinned;
    primitive.material = item.index("material", model_.materials.size());
    if (primitive.material < 0) primitive.material = defaultMaterial();
    if (range.normals) {
      model_.indices.insert(model_.indices.end(), indices.begin(), indices.end());
    } else {
      range = unshared(range, indices, item);
      for (std::uint32_t i = 0; i < primitive.indices; ++i) model_.indices.push_back(i);
    }
    primitive.firstVertex = static_cast<std::uint32_t>(range.first);
    primitive.vertices = static_cast<std::uint32_t>(range.count);
    if (!range.normals) computeFlatNormals(model_, primitive);
    const ModelMaterial& material = model_.materials[static_cast<std::size_t>(primitive.material)];
    if (material.normalTexture && (!range.tangents || !range.normals)) {
      tangentWork_ += range.count;
      if (tangentWork_ > 10 * source_.limits.vertices) fail(item.where(), "shares its vertices too often");
      computeTangents(model_, primitive);
    }
    for (const auto i : indices)
      primitive.bounds.add(model_.vertices[range.normals ? range.first + i : range.first].position);
    if (!range.normals)
      for (const auto& vertex : std::span(model_.vertices).subspan(range.first, range.count))
        primitive.bounds.add(vertex.position);
    readTargets(item, vertices, range.normals ? std::vector<std::uint32_t>() : indices, primitive);
    mesh.targets = std::max(mesh.targets, primitive.targets.size());
    mesh.primitives.push_back(std::move(primitive));
  }

  // Copies a vertex for every index: flat shading needs a normal for each triangle.
  Range unshared(const Range& range, const std::vector<std::uint32_t>& indices, const Item& item) {
    Range copy = range;
    copy.first = model_.vertices.size();
    copy.count = indices.size();
    if (copy.count > source_.limits.vertices - copy.first)
      fail(item.where(), "exceeds the limit of vertices");
    model_.vertices.reserve(copy.first + copy.count);
    for (const auto i : indices) model_.vertices.push_back(model_.vertices[range.first + i]);
    if (range.skinned) {
      model_.weights.resize(copy.first);
      for (const auto i : indices) model_.weights.push_back(model_.weights[range.first + i]);
    }
    return copy;
  }

  int defaultMaterial() {
    if (defaultMaterial_ < 0) {
      defaultMaterial_ = static_cast<int>(model_.materials.size());
      model_.materials.emplace_back();
    }
    return defaultMaterial_;
  }

  // Adds a channel, or one for each morph target.
  void addChannels(const Item& sampler, Channel channel, std::size_t& keys, Clip& clip) {
    const ModelNode& node = model_.nodes[static_cast<std::size_t>(channel.node)];
    const bool morphs = channel.path == Path::weight;
    const std::size_t targets =
        node.mesh < 0 ? 0 : model_.meshes[static_cast<std::size_t>(node.mesh)].targets;
    const std::size_t channels = morphs ? targets : 1;
    const std::size_t width = morphs ? 1 : channel.path == Path::rotation ? 4 : 3;
    if (channels == 0) return;
    const auto read = [&](const char* key, std::size_t components) {
      auto numbers =
          floats(sampler.neededIndex(key, accessors_.size()), {components}, source_.limits.keys - keys);
      keys += numbers.size() / components;
      return numbers;
    };
    channel.timesS = read("input", 1);
    const auto values = read("output", width);
    if (!std::ranges::is_sorted(channel.timesS)) fail(sampler.where(), "has times that do not increase");
    const std::size_t parts = channel.interpolation == Interpolation::cubic ? 3 : 1;
    const std::size_t times = channel.timesS.size();
    if ((channels - 1) * times > source_.limits.keys - keys) fail(sampler.where(), "has too many keys");
    keys += (channels - 1) * times;
    if (times == 0 || values.size() < times * parts * channels * width)
      fail(sampler.where(), "has fewer values than times");
    clip.durationS = std::max(clip.durationS, channel.timesS.back());
    for (channel.target = 0; channel.target < channels; ++channel.target) {
      channel.values.clear();
      for (std::size_t i = 0; i < times * parts; ++i) {
        const std::size_t at = (i * channels + channel.target) * width;
        glm::vec4 value(0.0f);
        for (std::size_t c = 0; c < width; ++c) value[static_cast<int>(c)] = values[at + c];
        channel.values.push_back(value);
      }
      clip.channels.push_back(channel);
    }
  }

  void readClips(const Item& root) {
    static const std::map<std::string, Path, std::less<>> kPaths = {{"translation", Path::translation},
                                                                    {"rotation", Path::rotation},
                                                                    {"scale", Path::scale},
                                                                    {"weights", Path::weight}};
    std::size_t keys = 0;
    for (const Item& item : root.list("animations", source_.limits.items)) {
      progress_.report(0.5f, "reading animations");
      Clip clip;
      clip.name = item.text("name");
      const auto samplers = item.list("samplers", source_.limits.items);
      for (const Item& target : item.list("channels", source_.limits.items)) {
        const Item& sampler =
            samplers[static_cast<std::size_t>(target.neededIndex("sampler", samplers.size()))];
        const auto to = target.object("target");
        if (!to || !to->has("node")) continue;
        const auto path = kPaths.find(to->text("path"));
        if (path == kPaths.end()) continue;
        Channel channel;
        channel.node = newIndex_[static_cast<std::size_t>(to->index("node", newIndex_.size()))];
        channel.path = path->second;
        const std::string how = sampler.text("interpolation");
        channel.interpolation = how == "STEP"          ? Interpolation::step
                                : how == "CUBICSPLINE" ? Interpolation::cubic
                                                       : Interpolation::linear;
        addChannels(sampler, std::move(channel), keys, clip);
      }
      model_.clips.push_back(std::move(clip));
    }
  }

  // Throws std::runtime_error if these images exceed the limits together.
  void requireRoomFor(const std::vector<int>& images) const {
    ModelLimits left = source_.limits;
    for (const int image : images) {
      const Encoded& encoded = encoded_[static_cast<std::size_t>(image)];
      try {
        reserveImage(encoded.bytes, left);
      } catch (const std::runtime_error& error) {
        fail(encoded.where, error.what());
      }
    }
  }

  // Decodes on all cores what a material uses.
  void decodeImages() {
    std::set<int> used;
    for (const ModelMaterial& m : model_.materials)
      for (const TextureUse* use : {&m.baseColourTexture, &m.metallicRoughnessTexture, &m.normalTexture,
                                    &m.occlusionTexture, &m.emissiveTexture})
        if (*use) used.insert(use->image);
    model_.images.resize(encoded_.size());
    const std::vector<int> wanted(used.begin(), used.end());
    requireRoomFor(wanted);
    std::atomic<std::size_t> done = 0;
    std::mutex mutex;
    std::string problem;
    ThreadPool pool(std::max(1, std::min(hardwareThreads(), static_cast<int>(wanted.size()))));
    pool.forEach(static_cast<int>(wanted.size()), [&](int i) {
      const auto at = static_cast<std::size_t>(wanted[static_cast<std::size_t>(i)]);
      try {
        progress_.report(0.5f + 0.45f * static_cast<float>(done) / static_cast<float>(wanted.size()),
                         "decoding " + std::to_string(wanted.size()) + " textures");
        model_.images[at] = decodeImage(encoded_[at].bytes, source_.limits);
        ++done;
      } catch (const LoadCancelled&) {
      } catch (const std::exception& error) {
        const std::lock_guard lock(mutex);
        if (problem.empty()) problem = encoded_[at].where + ": " + error.what();
      }
    });
    progress_.throwIfCancelled();
    if (!problem.empty()) throw std::runtime_error(problem);
  }

  void note(const std::string& text) {
    if (std::ranges::find(model_.notes, text) == model_.notes.end()) model_.notes.push_back(text);
  }

  struct Encoded {
    std::string_view bytes;
    std::string where;
  };

  const ModelSource& source_;
  LoadProgress& progress_;
  ModelData model_;
  std::size_t read_ = 0;  // bytes of all files
  std::vector<std::unique_ptr<std::string>> owned_;
  std::vector<std::string_view> buffers_;
  std::vector<View> views_;
  std::vector<Item> accessors_;
  std::vector<Encoded> encoded_;
  std::vector<TextureUse> textures_;
  std::map<std::array<int, 8>, Range> ranges_;
  std::vector<int> newIndex_;                            // of the nodes of the file
  std::vector<bool> drawn_;                              // nodes of the scene
  std::map<std::size_t, std::vector<float>> weightsOf_;  // of morph targets, by node
  int defaultMaterial_ = -1;
  std::size_t tangentWork_ = 0;  // vertices for which tangents were computed
  std::size_t displaced_ = 0;    // vertices of all morph targets
};

}  // namespace

ModelData parseGltf(const ModelSource& source, LoadProgress& progress) {
  try {
    return Reader(source, progress).read();
  } catch (const Json::exception& error) {
    throw std::runtime_error(excerpt(error.what(), 200));
  }
}

}  // namespace satdof
