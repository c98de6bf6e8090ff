#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>

// Directories of TIFF 6.0, which EXIF data have, too.
namespace satdof::ifd {

enum Type : std::uint32_t { kText = 2, kShort = 3, kLong = 4, kRational = 5, kUndefined = 7 };

// A value, its numbers with the lowest byte first.
struct Value {
  std::uint32_t type = 0, count = 0;
  std::string bytes;
};
using Directory = std::map<std::uint32_t, Value>;  // by tag

// Values of unsigned numbers, and of a text.
Value shorts(const std::string& bytes);
Value longs(const std::string& bytes);
Value text(std::string_view text);
// Appends the lowest `bytes` bytes of the number.
void append(std::string& to, std::uint32_t value, std::size_t bytes);
std::uint32_t number(std::string_view bytes);

// Reads a structure that begins as a TIFF file. Leaves out what is damaged.
class Structure {
 public:
  explicit Structure(std::string_view bytes);
  bool sound() const;
  // The entries of the first directory that are wanted, each of at most `mostBytes`.
  using Wanted = std::function<bool(std::uint32_t tag)>;
  Directory first(const Wanted& wanted, std::size_t mostBytes) const;
  // Of the directory that the first one names by `tag`.
  Directory named(std::uint32_t tag, const Wanted& wanted, std::size_t mostBytes) const;

 private:
  std::uint32_t at(std::size_t place, std::size_t bytes) const;
  Directory directory(std::size_t offset, const Wanted& wanted, std::size_t mostBytes) const;
  std::optional<Value> read(std::size_t entry, std::size_t mostBytes) const;

  std::string_view bytes_;
  bool little_;
};

// The beginning of a structure whose first directory is at an offset.
std::string header(std::uint32_t offset);
// The directory at an offset, its long values behind it.
std::string encoded(const Directory& directory, std::uint32_t offset);
// The same with directories that it names by tags, behind it.
std::string encoded(Directory directory, const std::map<std::uint32_t, Directory>& named,
                    std::uint32_t offset);

}  // namespace satdof::ifd
