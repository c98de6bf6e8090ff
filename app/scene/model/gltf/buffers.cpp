#include "app/scene/model/gltf/buffers.h"

#include <algorithm>
#include <array>
#include <stdexcept>

#include "app/io/base64.h"
#include "app/scene/model/entry.h"
#include "app/scene/model/gltf/extensions.h"
#include "app/scene/model/gltf/meshopt.h"

namespace satdof::gltf {

namespace {

// The vendor extension, and the same extension as ratified by Khronos.
constexpr std::array kMeshopt = {"EXT_meshopt_compression", "KHR_meshopt_compression"};

// The compression extension of a buffer or a view; none without one.
std::optional<Item> compression(const Item& item) {
  for (const char* name : kMeshopt)
    if (auto found = item.extension(name)) return found;
  return std::nullopt;
}

// Indices of the buffers with compressed views: their uncompressed bytes may be missing.
std::set<std::int64_t> replacedBuffers(const std::vector<Item>& views) {
  std::set<std::int64_t> replaced;
  for (const Item& view : views)
    if (compression(view)) replaced.insert(view.integer("buffer", 0, 0, INT32_MAX));
  return replaced;
}

std::uint32_t littleEndian(std::string_view bytes, std::size_t at) {
  std::uint32_t value = 0;
  for (std::size_t i = 0; i < 4; ++i)
    value |= static_cast<std::uint32_t>(static_cast<unsigned char>(bytes[at + i])) << (8 * i);
  return value;
}

}  // namespace

Chunks splitGlb(std::string_view bytes) {
  constexpr std::uint32_t kJson = 0x4e4f534a, kBinary = 0x004e4942;
  if (bytes.size() < 20) fail("", "the GLB header is cut off");
  if (const auto version = littleEndian(bytes, 4); version != 2)
    fail("", "GLB version " + std::to_string(version) + "; only version 2 is known");
  // Some programs state a wrong length.
  const std::size_t stated = littleEndian(bytes, 8);
  Chunks chunks;
  std::size_t at = 12;
  while (at < stated && at + 8 <= bytes.size()) {
    const std::size_t length = littleEndian(bytes, at);
    const std::uint32_t kind = littleEndian(bytes, at + 4);
    if (length > bytes.size() - at - 8) fail("", "a GLB chunk ends beyond the file");
    const std::string_view chunk = bytes.substr(at + 8, length);
    if (kind == kJson && chunks.json.data() == nullptr) chunks.json = chunk;
    if (kind == kBinary && chunks.binary.data() == nullptr) chunks.binary = chunk;
    // Some programs do not pad the first chunk.
    at += 8 + length;
    const bool follows = at + 8 <= bytes.size() && littleEndian(bytes, at + 4) == kBinary;
    if (!follows) at += (4 - length % 4) % 4;
  }
  if (chunks.json.empty()) fail("", "the GLB has no JSON chunk");
  return chunks;
}

Buffers::Buffers(const Item& root, std::string_view binary, const ModelSource& source, LoadProgress& progress)
    : source_(source), read_(source.bytes.size()) {
  const auto buffers = root.list("buffers", source.limits.items);
  const auto views = root.list("bufferViews", source.limits.items * 10);
  readBuffers(buffers, replacedBuffers(views), binary, progress);
  readViews(views, buffers);
}

const View& Buffers::view(const Item& item) const {
  return entry(views_, item.requiredIndex("bufferView", views_.size()));
}

std::optional<std::string_view> Buffers::uri(const Item& item) {
  const std::string uri = item.text("uri");
  if (uri.empty()) return std::nullopt;
  owned_.push_back(std::make_unique<std::string>(bytesOf(uri, item.whereOf("uri"))));
  return *owned_.back();
}

std::string Buffers::bytesOf(const std::string& uri, const std::string& where) {
  constexpr std::string_view kMarker = ";base64,";
  std::string bytes;
  if (uri.starts_with("data:")) {
    const auto marker = uri.find(kMarker);
    if (marker == uri.npos) fail(where, "must be a base64 data URI");
    auto decoded = decodeBase64(std::string_view(uri).substr(marker + kMarker.size()));
    if (!decoded) fail(where, "is no base64");
    bytes = *std::move(decoded);
  } else {
    bytes = readUri(source_, uri, source_.limits.fileBytes - std::min(read_, source_.limits.fileBytes));
  }
  read_ += bytes.size();
  return bytes;
}

void Buffers::readBuffers(const std::vector<Item>& buffers, const std::set<std::int64_t>& replaced,
                          std::string_view binary, LoadProgress& progress) {
  for (const Item& buffer : buffers) {
    progress.report(0.1f, "reading buffers");
    const std::size_t length = buffer.size("byteLength", INT64_MAX);
    // A fallback buffer is for programs that cannot decompress.
    if (const auto compressed = compression(buffer);
        compressed && compressed->flag("fallback") && (isRead(kMeshopt.front()) || !buffer.has("uri"))) {
      buffers_.emplace_back();
      continue;
    }
    // Only the first buffer may be the binary chunk.
    const auto index = static_cast<std::int64_t>(buffers_.size());
    const std::string_view bytes = uri(buffer).value_or(buffers_.empty() ? binary : std::string_view());
    constexpr std::size_t kPadding = 3;  // that some programs count but do not write
    const bool isMissing = bytes.empty() && !buffer.has("uri") && replaced.contains(index);
    if (bytes.size() + kPadding < length && !isMissing)
      fail(buffer.where(), bytes.empty() && !buffer.has("uri")
                               ? "has no URI, and the file has no binary chunk for it"
                               : "has " + std::to_string(bytes.size()) + " of " + std::to_string(length) + " bytes");
    buffers_.push_back(bytes.substr(0, length));
  }
}

View Buffers::decompressed(const Item& item) {
  MeshoptView view{.mode = item.text("mode")};
  view.count = item.size("count", source_.limits.fileBytes);
  view.stride = static_cast<std::size_t>(item.integer("byteStride", 0, 1, 256));
  if (view.stride == 0) fail(item.where(), "lacks \"byteStride\"");
  if (item.has("filter")) view.filter = item.text("filter");
  const std::string_view bytes = part(item);
  if (view.count > (source_.limits.fileBytes - std::min(read_, source_.limits.fileBytes)) / view.stride)
    fail(item.where(), "has more bytes than the files of a model may have");
  read_ += view.count * view.stride;
  try {
    owned_.push_back(std::make_unique<std::string>(decodeMeshopt(bytes, view)));
  } catch (const std::runtime_error& error) {
    fail(item.where(), error.what());
  }
  return {*owned_.back(), view.stride};
}

std::string_view Buffers::part(const Item& item) const {
  const auto buffer = entry(buffers_, item.requiredIndex("buffer", buffers_.size()));
  const std::size_t offset = item.size("byteOffset", buffer.size());
  return buffer.substr(offset, item.size("byteLength", buffer.size() - offset));
}

void Buffers::readViews(const std::vector<Item>& views, const std::vector<Item>& buffers) {
  for (const Item& view : views) {
    const auto compressed = compression(view);
    const auto index = static_cast<std::size_t>(view.requiredIndex("buffer", buffers_.size()));
    if (compressed && (isRead(kMeshopt.front()) || buffers_[index].empty())) {
      try {
        views_.push_back(decompressed(*compressed));
      } catch (const std::runtime_error&) {
        // The buffer may hold the same elements uncompressed, as a fallback.
        if (!buffers[index].has("uri")) throw;
        if (buffers_[index].empty()) buffers_[index] = uri(buffers[index]).value_or(std::string_view());
        views_.push_back({part(view)});
      }
    } else {
      views_.push_back({part(view)});
    }
    // The stride of the view wins over the stride of the compressed elements.
    if (view.has("byteStride")) views_.back().stride = view.size("byteStride", 252);
  }
}

}  // namespace satdof::gltf
