#include "app/io/metadata/ifd.h"

#include <algorithm>

namespace satdof::ifd {

namespace {

using namespace std::string_view_literals;

constexpr std::size_t kEntryBytes = 12;

// Returns the size of a number of a type; 0 if the type is unknown.
std::size_t bytesOf(std::uint32_t type) {
  constexpr std::string_view kBytes = "\0\1\1\2\4\10\1\1\2\4\10\4\10"sv;
  return type < kBytes.size() ? static_cast<std::size_t>(kBytes[type]) : 0;
}

// Returns the number of bytes that swap together: a rational is two numbers.
std::size_t unitOf(std::uint32_t type) {
  constexpr std::uint32_t kDouble = 12;
  return type == kDouble ? 8 : std::min<std::size_t>(bytesOf(type), 4);
}

Value numbers(std::uint32_t type, const std::string& bytes) {
  return {type, static_cast<std::uint32_t>(bytes.size() / bytesOf(type)), bytes};
}

}  // namespace

Value shorts(const std::string& bytes) { return numbers(kShort, bytes); }
Value longs(const std::string& bytes) { return numbers(kLong, bytes); }
Value text(std::string_view text) { return numbers(kText, std::string(text) + '\0'); }

void append(std::string& to, std::uint32_t value, std::size_t bytes) {
  for (std::size_t i = 0; i < bytes; ++i) to += static_cast<char>(value >> (8 * i) & 0xff);
}

std::uint32_t number(std::string_view bytes) {
  std::uint32_t value = 0;
  for (std::size_t i = bytes.size(); i-- > 0;) value = value << 8 | static_cast<unsigned char>(bytes[i]);
  return value;
}

Structure::Structure(std::string_view bytes) : bytes_(bytes), little_(bytes.starts_with("II"sv)) {}

bool Structure::sound() const { return bytes_.size() >= 8 && (little_ || bytes_.starts_with("MM"sv)); }

std::uint32_t Structure::number(std::size_t offset, std::size_t bytes) const {
  if (offset > bytes_.size() || bytes > bytes_.size() - offset) return 0;
  std::string part(bytes_.substr(offset, bytes));
  if (!little_) std::ranges::reverse(part);
  return ifd::number(part);
}

// The entries of a directory that lie within the structure.
std::size_t Structure::entryCount(std::size_t directory) const {
  if (directory > bytes_.size() || bytes_.size() - directory < 2) return 0;
  return std::min<std::size_t>(number(directory, 2), (bytes_.size() - directory - 2) / kEntryBytes);
}

std::size_t Structure::entry(std::uint32_t tag) const {
  if (!sound()) return 0;
  const std::size_t first = number(4, 4), count = entryCount(first);
  for (std::size_t i = 0; i < count; ++i)
    if (const std::size_t offset = first + 2 + i * kEntryBytes; number(offset, 2) == tag) return offset;
  return 0;
}

Directory Structure::first(const Wanted& wanted, std::size_t mostBytes) const {
  return sound() ? directory(number(4, 4), wanted, mostBytes) : Directory();
}

Directory Structure::named(std::initializer_list<std::uint32_t> tags, const Wanted& wanted,
                           std::size_t mostBytes) const {
  if (!sound()) return {};
  std::uint32_t at = number(4, 4);
  for (const std::uint32_t tag : tags) {
    const Directory pointer = directory(
        at, [&](std::uint32_t each) { return each == tag; }, 4);
    if (pointer.empty() || pointer.begin()->second.type != kLong) return {};
    at = ifd::number(pointer.begin()->second.bytes);
  }
  return directory(at, wanted, mostBytes);
}

Directory Structure::directory(std::size_t offset, const Wanted& wanted, std::size_t mostBytes) const {
  Directory found;
  const std::size_t count = entryCount(offset);
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t entry = offset + 2 + i * kEntryBytes;
    const std::uint32_t tag = number(entry, 2);
    if (!wanted(tag)) continue;
    if (auto value = read(entry, mostBytes)) found.emplace(tag, std::move(*value));
  }
  return found;
}

std::optional<Value> Structure::read(std::size_t entry, std::size_t mostBytes) const {
  Value value{number(entry + 2, 2), number(entry + 4, 4), {}};
  const std::size_t each = bytesOf(value.type);
  if (each == 0 || value.count == 0 || value.count > mostBytes / each) return std::nullopt;
  const std::size_t length = each * value.count;
  const std::size_t place = length <= 4 ? entry + 8 : number(entry + 8, 4);
  if (place > bytes_.size() || length > bytes_.size() - place) return std::nullopt;
  value.bytes = bytes_.substr(place, length);
  if (value.type == kText) {
    value.bytes.resize(std::min(value.bytes.find('\0'), value.bytes.size()));
    while (value.bytes.ends_with(' ')) value.bytes.pop_back();
    return value.bytes.empty() ? std::nullopt : std::optional(text(value.bytes));
  }
  const std::size_t unit = unitOf(value.type);
  for (std::size_t i = 0; !little_ && i < length; i += unit) {
    const auto from = value.bytes.begin() + static_cast<std::ptrdiff_t>(i);
    std::reverse(from, from + static_cast<std::ptrdiff_t>(unit));
  }
  return value;
}

std::string header(std::uint32_t offset) {
  std::string bytes("II*\0", 4);
  append(bytes, offset, 4);
  return bytes;
}

std::string encoded(const Directory& directory, std::uint32_t offset) {
  std::string bytes, after;
  append(bytes, static_cast<std::uint32_t>(directory.size()), 2);
  const std::size_t afterAt = offset + 2 + directory.size() * kEntryBytes + 4;
  for (const auto& [tag, value] : directory) {
    append(bytes, tag, 2);
    append(bytes, value.type, 2);
    append(bytes, value.count, 4);
    if (value.bytes.size() <= 4) {
      bytes += value.bytes + std::string(4 - value.bytes.size(), '\0');
    } else {
      append(bytes, static_cast<std::uint32_t>(afterAt + after.size()), 4);
      after += value.bytes;
      if (after.size() % 2 == 1) after += '\0';
    }
  }
  append(bytes, 0, 4);  // no further directory
  return bytes + after;
}

std::string encoded(Directory directory, const std::map<std::uint32_t, Directory>& named, std::uint32_t offset) {
  for (const auto& [tag, entries] : named)
    if (!entries.empty()) directory[tag] = longs(std::string(4, '\0'));
  std::string nested;
  const auto nestedAt = offset + static_cast<std::uint32_t>(encoded(directory, offset).size());
  for (const auto& [tag, entries] : named) {
    if (entries.empty()) continue;
    const auto at = nestedAt + static_cast<std::uint32_t>(nested.size());
    directory[tag].bytes.clear();
    append(directory[tag].bytes, at, 4);
    nested += encoded(entries, at);
  }
  return encoded(directory, offset) + nested;
}

}  // namespace satdof::ifd
