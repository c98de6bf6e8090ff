#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <map>
#include <optional>
#include <string>
#include <string_view>

// Image file directories of TIFF 6.0, which EXIF and the multi-picture format use, too.
namespace satdof::ifd {

enum Type : std::uint32_t { kText = 2, kShort = 3, kLong = 4, kRational = 5, kUndefined = 7 };

// The value of a tag. `bytes`: its numbers in little-endian order.
struct Value {
  std::uint32_t type = 0, count = 0;
  std::string bytes;
};
using Directory = std::map<std::uint32_t, Value>;  // by tag

// Return values of type kShort, kLong and kText. `bytes`: little-endian numbers.
Value shorts(const std::string& bytes);
Value longs(const std::string& bytes);
Value text(std::string_view text);
// Appends the lowest `bytes` bytes of `value`, little-endian.
void append(std::string& to, std::uint32_t value, std::size_t bytes);
// Returns a little-endian number.
std::uint32_t number(std::string_view bytes);

// Reads a TIFF structure in either byte order. Skips damaged entries.
class Structure {
 public:
  explicit Structure(std::string_view bytes);
  // Whether the header is complete. Without it, the structure has no entries.
  bool sound() const;
  // Selects tags to read.
  using Wanted = std::function<bool(std::uint32_t tag)>;
  // Returns the wanted entries of the first directory. Skips values of more than `mostBytes`.
  Directory first(const Wanted& wanted, std::size_t mostBytes) const;
  // The same of a directory deeper inside: `tags` lead to it from the first one, each the offset of a directory.
  Directory named(std::initializer_list<std::uint32_t> tags, const Wanted& wanted, std::size_t mostBytes) const;

  // Returns the number of `bytes` bytes at an offset; 0 outside the structure.
  std::uint32_t number(std::size_t offset, std::size_t bytes) const;
  // Returns the offset of the entry of `tag` in the first directory; 0 if there is none.
  std::size_t entry(std::uint32_t tag) const;

 private:
  std::size_t entryCount(std::size_t directory) const;
  Directory directory(std::size_t offset, const Wanted& wanted, std::size_t mostBytes) const;
  std::optional<Value> read(std::size_t entry, std::size_t mostBytes) const;

  std::string_view bytes_;
  bool little_;
};

// Encodes the header of a little-endian structure whose first directory is at an offset.
std::string header(std::uint32_t offset);
// Encodes a directory at an offset, followed by its long values.
std::string encoded(const Directory& directory, std::uint32_t offset);
// The same, followed by the directories `named`. Adds an entry with the offset of each.
std::string encoded(Directory directory, const std::map<std::uint32_t, Directory>& named, std::uint32_t offset);

}  // namespace satdof::ifd
