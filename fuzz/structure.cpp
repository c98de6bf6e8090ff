// A custom mutator for the targets of file readers, which keeps the structure of a file: it changes fields,
// segments, boxes or lines, then corrects lengths, offsets and checksums. Formats: JPEG, PNG, OpenEXR, HEIF,
// GLB, JSON, and text in lines.
#include <zlib.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "fuzz/fuzz.h"

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t maxSize);

namespace satdof::fuzz {

namespace {

using Json = nlohmann::json;
using Random = std::minstd_rand;

// A random number below `count` > 0.
std::size_t below(Random& random, std::size_t count) { return random() % count; }

template <class List>
auto& oneOf(Random& random, List& list) {
  return list[below(random, list.size())];
}

std::uint64_t read(std::string_view bytes, std::size_t at, std::size_t width, bool little) {
  std::uint64_t value = 0;
  for (std::size_t i = 0; i < width; ++i)
    value = value << 8 | static_cast<unsigned char>(bytes[at + (little ? width - 1 - i : i)]);
  return value;
}

void write(std::string& bytes, std::size_t at, std::size_t width, bool little, std::uint64_t value) {
  for (std::size_t i = 0; i < width; ++i)
    bytes[at + (little ? i : width - 1 - i)] = static_cast<char>(value >> (8 * i));
}

std::string number(std::uint64_t value, std::size_t width, bool little) {
  std::string bytes(width, '\0');
  write(bytes, 0, width, little, value);
  return bytes;
}

// Sets a random field of 1, 2, 4 or 8 bytes to a value at which counts and sizes overflow, or to one close to
// its old value.
void changeField(std::string& bytes, Random& random) {
  const std::size_t width = std::size_t{1} << below(random, 4);
  if (bytes.size() < width) return;
  const std::size_t at = below(random, bytes.size() - width + 1);
  const bool little = below(random, 2) == 0;
  const std::uint64_t old = read(bytes, at, width, little), all = ~std::uint64_t{0} >> (64 - 8 * width);
  const std::array<std::uint64_t, 10> values = {
      0,       1, all, all / 2, all / 2 + 1, old + 1, old - 1, old * 2, std::uint64_t{1} << below(random, 8 * width),
      random()};
  write(bytes, at, width, little, oneOf(random, values));
}

void mutateFreely(std::string& bytes, std::size_t most) {
  const std::size_t size = bytes.size();
  bytes.resize(std::max(size, most));
  bytes.resize(LLVMFuzzerMutate(reinterpret_cast<std::uint8_t*>(bytes.data()), size, bytes.size()));
}

// A part of a file: a segment, chunk, attribute, box or line.
struct Piece {
  std::string head;           // the name, and everything else before the length
  std::string body;           // the content
  std::vector<Piece> inside;  // nested parts, in place of a body
  bool isPlain = false;       // the file contains only the body, without head and length
};
using Pieces = std::vector<Piece>;

Piece plain(std::string_view bytes) { return {"", std::string(bytes), {}, true}; }

void collect(Pieces& pieces, std::vector<Pieces*>& lists) {
  if (!pieces.empty()) lists.push_back(&pieces);
  for (Piece& piece : pieces) collect(piece.inside, lists);
}

void mutatePieces(Pieces& pieces, Random& random) {
  constexpr std::size_t kGrowth = 64;  // bytes by which a part may grow
  std::vector<Pieces*> lists;
  collect(pieces, lists);
  Pieces& list = *oneOf(random, lists);
  const std::size_t at = below(random, list.size());
  switch (below(random, 10)) {
    case 0:
      list.insert(list.begin() + static_cast<std::ptrdiff_t>(below(random, list.size())), Piece(list[at]));
      break;
    case 1:
      if (list.size() > 1) list.erase(list.begin() + static_cast<std::ptrdiff_t>(at));
      break;
    case 2:
      std::swap(list[at], oneOf(random, list));
      break;
    case 3:
      list[at].body = oneOf(random, list).body;
      break;
    case 4:
      changeField(list[at].head, random);
      break;
    case 5:
    case 6:
      mutateFreely(list[at].body, list[at].body.size() + kGrowth);
      break;
    default:
      changeField(list[at].body, random);
  }
}

// A file format. split(): the parts, or nothing if the bytes have another format. join(): the bytes of the
// parts; oldSize is the size before the mutation.
struct Format {
  std::optional<Pieces> (*split)(std::string_view bytes);
  std::string (*join)(const Pieces& pieces, std::size_t oldSize);
};

std::optional<Pieces> splitJpeg(std::string_view bytes) {
  if (!bytes.starts_with("\xff\xd8")) return std::nullopt;
  Pieces pieces = {plain(bytes.substr(0, 2))};
  std::size_t at = 2;
  while (at + 4 <= bytes.size() && bytes[at] == '\xff' && bytes[at + 1] != '\xda') {
    const std::size_t length = std::max<std::size_t>(2, read(bytes, at + 2, 2, false));
    if (length + 2 > bytes.size() - at) break;
    pieces.push_back({std::string(bytes.substr(at, 2)), std::string(bytes.substr(at + 4, length - 2)), {}});
    at += length + 2;
  }
  pieces.push_back(plain(bytes.substr(at)));
  return pieces;
}

std::string joinJpeg(const Pieces& pieces, std::size_t) {
  std::string bytes;
  for (const Piece& piece : pieces)
    bytes += (piece.isPlain ? "" : piece.head + number(piece.body.size() + 2, 2, false)) + piece.body;
  return bytes;
}

constexpr std::string_view kPng = "\x89PNG\r\n\x1a\n";

std::optional<Pieces> splitPng(std::string_view bytes) {
  if (!bytes.starts_with(kPng)) return std::nullopt;
  Pieces pieces = {plain(kPng)};
  std::size_t at = kPng.size();
  while (at + 12 <= bytes.size()) {
    const std::size_t length = read(bytes, at, 4, false);
    if (length > bytes.size() - at - 12) break;
    pieces.push_back({std::string(bytes.substr(at + 4, 4)), std::string(bytes.substr(at + 8, length)), {}});
    at += length + 12;
  }
  return pieces;
}

std::string joinPng(const Pieces& pieces, std::size_t) {
  std::string bytes;
  for (const Piece& piece : pieces) {
    const std::string chunk = piece.head + piece.body;
    if (piece.isPlain) {
      bytes += piece.body;
      continue;
    }
    const auto sum = crc32(0, reinterpret_cast<const Bytef*>(chunk.data()), static_cast<uInt>(chunk.size()));
    bytes += number(piece.body.size(), 4, false) + chunk + number(sum, 4, false);
  }
  return bytes;
}

// Attributes of all OpenEXR parts, the table of offsets, and the pixels.
std::optional<Pieces> splitExr(std::string_view bytes) {
  if (!bytes.starts_with("\x76\x2f\x31\x01") || bytes.size() < 9) return std::nullopt;
  const bool parts = (bytes[5] & 0x10) != 0;
  Pieces pieces = {plain(bytes.substr(0, 8))};
  std::size_t at = 8;
  while (at < bytes.size()) {
    if (bytes[at] == '\0') {
      pieces.push_back(plain(bytes.substr(at++, 1)));
      if (!parts || (at < bytes.size() && bytes[at] == '\0')) break;
      continue;
    }
    const std::size_t name = bytes.find('\0', at), type = name == bytes.npos ? name : bytes.find('\0', name + 1);
    if (type == bytes.npos || type + 5 > bytes.size()) break;
    const std::size_t size = read(bytes, type + 1, 4, true);
    if (size > bytes.size() - type - 5) break;
    pieces.push_back({std::string(bytes.substr(at, type + 1 - at)), std::string(bytes.substr(type + 5, size)), {}});
    at = type + 5 + size;
  }
  if (parts && at < bytes.size()) pieces.push_back(plain(bytes.substr(at++, 1)));
  // The pixels follow the table, so the first offset gives the end of the table.
  const std::size_t first = at + 8 <= bytes.size() ? read(bytes, at, 8, true) : 0;
  if (first > at && first < bytes.size()) {
    pieces.push_back({"table", std::string(bytes.substr(at, first - at)), {}, true});
    at = first;
  }
  pieces.push_back(plain(bytes.substr(std::min(at, bytes.size()))));
  return pieces;
}

std::string joinExr(const Pieces& pieces, std::size_t oldSize) {
  std::string bytes;
  std::size_t table = 0, tableSize = 0;
  for (const Piece& piece : pieces) {
    if (piece.isPlain && piece.head == "table") table = bytes.size(), tableSize = piece.body.size();
    bytes += (piece.isPlain ? "" : piece.head + number(piece.body.size(), 4, true)) + piece.body;
  }
  for (std::size_t at = table; at + 8 <= table + tableSize; at += 8)
    write(bytes, at, 8, true, read(bytes, at, 8, true) + bytes.size() - oldSize);
  return bytes;
}

Pieces boxes(std::string_view bytes, int depth) {
  constexpr std::array<std::string_view, 5> kOfBoxes = {"meta", "iprp", "ipco", "iref", "dinf"};
  constexpr int kDeepest = 4;
  Pieces pieces;
  std::size_t at = 0;
  while (at + 8 <= bytes.size()) {
    const std::size_t size = read(bytes, at, 4, false);
    if (size < 8 || size > bytes.size() - at) break;
    Piece box{std::string(bytes.substr(at + 4, 4)), {}, {}};
    std::string_view body = bytes.substr(at + 8, size - 8);
    const bool isFull = box.head == "meta" || box.head == "iref";  // a full box, with version and flags
    if (depth < kDeepest && std::ranges::find(kOfBoxes, box.head) != kOfBoxes.end() && body.size() >= 4) {
      if (isFull) box.head += body.substr(0, 4);
      box.inside = boxes(body.substr(isFull ? 4 : 0), depth + 1);
    } else {
      box.body = body;
    }
    pieces.push_back(std::move(box));
    at += size;
  }
  if (at < bytes.size()) pieces.push_back(plain(bytes.substr(at)));
  return pieces;
}

std::optional<Pieces> splitHeif(std::string_view bytes) {
  if (bytes.size() < 16 || bytes.substr(4, 4) != "ftyp") return std::nullopt;
  return boxes(bytes, 0);
}

std::string joinBoxes(const Pieces& pieces) {
  std::string bytes;
  for (const Piece& piece : pieces) {
    const std::string content = piece.inside.empty() ? piece.body : joinBoxes(piece.inside);
    bytes += piece.isPlain ? content : number(content.size() + piece.head.size() + 4, 4, false) + piece.head + content;
  }
  return bytes;
}

// Corrects the offsets of items behind the boxes, in an iloc box of version 0 with offsets and lengths of 4
// bytes.
std::string joinHeif(const Pieces& pieces, std::size_t oldSize) {
  std::string bytes = joinBoxes(pieces);
  std::size_t at = bytes.find(std::string("iloc\0\0\0\0\x44\0", 10));
  if (at == bytes.npos || at + 12 > bytes.size()) return bytes;
  const std::size_t items = read(bytes, at + 10, 2, false);
  at += 12;
  for (std::size_t item = 0; item < items && at + 6 <= bytes.size(); ++item) {
    const std::size_t extents = read(bytes, at + 4, 2, false);
    at += 6;
    for (std::size_t i = 0; i < extents && at + 8 <= bytes.size(); ++i, at += 8)
      write(bytes, at, 4, false, read(bytes, at, 4, false) + bytes.size() - oldSize);
  }
  return bytes;
}

bool isText(std::string_view bytes) {
  return !bytes.empty() && std::ranges::all_of(bytes, [](char c) {
    return c == '\n' || c == '\r' || c == '\t' || static_cast<unsigned char>(c) >= 0x20;
  });
}

// The head of a line is its first word.
std::optional<Pieces> splitLines(std::string_view bytes) {
  if (!isText(bytes)) return std::nullopt;
  Pieces pieces;
  while (!bytes.empty()) {
    const std::string_view line = bytes.substr(0, bytes.find('\n'));
    const std::size_t word = std::min(line.find(' '), line.size());
    pieces.push_back({std::string(line.substr(0, word)), std::string(line.substr(word)), {}});
    bytes.remove_prefix(std::min(line.size() + 1, bytes.size()));
  }
  return pieces;
}

std::string joinLines(const Pieces& pieces, std::size_t) {
  std::string bytes;
  for (const Piece& piece : pieces) bytes += piece.head + piece.body + "\n";
  return bytes;
}

constexpr std::array kFormats = {Format{splitJpeg, joinJpeg}, Format{splitPng, joinPng}, Format{splitExr, joinExr},
                                 Format{splitHeif, joinHeif}, Format{splitLines, joinLines}};

void collect(Json& json, std::vector<Json*>& values) {
  values.push_back(&json);
  if (json.is_structured())
    for (Json& value : json) collect(value, values);
}

void mutateJson(Json& document, Random& random) {
  std::vector<Json*> values;
  collect(document, values);
  Json& value = *oneOf(random, values);
  const Json other = *oneOf(random, values);
  if (value.is_number() && below(random, 8) != 0) {
    const double old = value.get<double>();
    const std::array<Json, 14> numbers = {
        0, -1, 1, 255, 256, 65535, 65536, 2147483647, 1u << 31, 4294967295u, 9007199254740992, 0.5, old + 1, old - 1};
    value = numbers[below(random, numbers.size())];
  } else if (value.is_array() && !value.empty() && below(random, 4) != 0) {
    const auto at = value.begin() + static_cast<std::ptrdiff_t>(below(random, value.size()));
    if (below(random, 2) == 0) {
      value.erase(at);
    } else {
      value.push_back(Json(*at));
    }
  } else if (value.is_object() && !value.empty() && below(random, 4) != 0) {
    const auto at = std::next(value.begin(), static_cast<std::ptrdiff_t>(below(random, value.size())));
    if (below(random, 2) == 0) {
      value.erase(at);
    } else {
      at.value() = other;
    }
  } else if (other.is_object() && !other.empty() && value.is_object()) {
    value.update(other);
  } else {
    value = other;
  }
}

std::string asText(const Json& document) { return document.dump(-1, ' ', false, Json::error_handler_t::replace); }

// Mutates a GLB file or a glTF JSON file. Nothing if the bytes are neither.
std::optional<std::string> mutateGltf(std::string_view bytes, Random& random) {
  std::string_view json = bytes, rest;
  const bool isGlb = bytes.starts_with("glTF") && bytes.size() >= 20;
  if (isGlb) {
    const std::size_t length = read(bytes, 12, 4, true);
    if (length > bytes.size() - 20) return std::nullopt;
    json = bytes.substr(20, length);
    rest = bytes.substr(20 + length);
  }
  Json document = Json::parse(json, nullptr, false);
  if (!document.is_object()) return std::nullopt;
  for (std::size_t times = 1 + below(random, 3); times > 0; --times) mutateJson(document, random);
  std::string text = asText(document);
  if (!isGlb) return text;
  text.resize((text.size() + 3) / 4 * 4, ' ');
  std::string binary(rest);
  if (below(random, 4) == 0 && binary.size() > 8) {
    std::string content = binary.substr(8);
    changeField(content, random);
    binary.replace(8, content.size(), content);
  }
  return "glTF" + number(2, 4, true) + number(20 + text.size() + binary.size(), 4, true) +
         number(text.size(), 4, true) + "JSON" + text + binary;
}

std::optional<std::string> mutateStructure(std::string_view bytes, Random& random) {
  if (auto gltf = mutateGltf(bytes, random)) return gltf;
  for (const Format& format : kFormats)
    if (auto pieces = format.split(bytes); pieces && !pieces->empty()) {
      for (std::size_t times = 1 + below(random, 3); times > 0; --times) mutatePieces(*pieces, random);
      return format.join(*pieces, bytes.size());
    }
  return std::nullopt;
}

}  // namespace

}  // namespace satdof::fuzz

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t maxSize,
                                               unsigned seed) {
  constexpr unsigned kFree = 4;  // one of this many mutations does not keep the structure
  if (seed % kFree != 0) {
    satdof::fuzz::Random random(seed);
    const auto mutated = satdof::fuzz::mutateStructure(satdof::fuzz::textOf(data, size), random);
    if (mutated && !mutated->empty() && mutated->size() <= maxSize) {
      std::memcpy(data, mutated->data(), mutated->size());
      return mutated->size();
    }
  }
  return LLVMFuzzerMutate(data, size, maxSize);
}
