#include "app/run/film/frame_files.h"

#include <filesystem>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include "app/core/files/cache.h"
#include "app/core/files/file_names.h"
#include "app/core/text/count_text.h"
#include "app/core/text/foreign_text.h"
#include "app/core/text/formatted.h"
#include "app/core/text/number.h"
#include "app/core/usage_error.h"
#include "app/io/notes.h"

namespace satdof {

namespace fs = std::filesystem;

namespace {

constexpr int kMaxDigits = 9;

// A pattern without its number.
struct NameParts {
  std::string before, after;
  int digits = 0;  // least width of the number
};

std::optional<NameParts> partsOfName(const std::string& name) {
  const auto at = name.find('%', name.size() - fs::path(name).filename().string().size());
  if (at == name.npos || name.find('%', at + 1) != name.npos) return std::nullopt;
  const auto end = name.find('d', at);
  if (end == name.npos) return std::nullopt;
  NameParts parts{name.substr(0, at), name.substr(end + 1), 0};
  const std::string_view width = std::string_view(name).substr(at + 1, end - at - 1);
  if (width.empty()) return parts;
  parts.digits = numberInText<int>(width).value_or(kMaxDigits + 1);
  return width[0] == '0' && parts.digits <= kMaxDigits ? std::optional(parts) : std::nullopt;
}

// The number of `file` if it has the pattern `name`.
std::optional<int> numberOf(const std::string& file, const std::string& name) {
  const auto parts = partsOfName(name);
  if (!parts || !file.starts_with(parts->before) || !file.ends_with(parts->after) ||
      file.size() <= parts->before.size() + parts->after.size())
    return std::nullopt;
  const std::size_t digits = file.size() - parts->before.size() - parts->after.size();
  const auto number = numberInText<int>(std::string_view(file).substr(parts->before.size(), digits));
  return digits <= kMaxDigits && number >= 0 && frameFile(name, *number) == file ? number : std::nullopt;
}

}  // namespace

bool hasFrameNumber(const std::string& name) { return partsOfName(name).has_value(); }

bool isFrameName(const std::string& name) { return hasFrameNumber(name) && !isThere(name); }

std::string frameFile(const std::string& name, int number) {
  const auto parts = partsOfName(name);
  return parts->before + formatted("%0*d", parts->digits, number) + parts->after;
}

FrameRange findFrames(const std::string& where, const std::string& name) {
  const fs::path path(name);
  std::set<int> numbers;
  for (const fs::path& file : entriesOf(folderOf(path)))
    if (const auto number = numberOf(file.filename().string(), path.filename().string())) numbers.insert(*number);
  if (numbers.empty()) throw UsageError(where + " " + excerpt(name) + ": no file has such a name");
  FrameRange found{name, *numbers.begin(), 0};
  while (numbers.contains(found.first + found.count)) ++found.count;
  return found;
}

std::string ofFilm(const std::string& note, const ImageSettings& frame, const ImageSettings& film) {
  const auto beginOf = [](const FilePath& file) { return inFile(file.text, {""}).front(); };
  const FilePath& depth = film.depth.none() ? film.file : film.depth;
  for (const auto& [file, named] : {std::pair(frame.file, film.file), std::pair(frame.depth, depth)}) {
    if (file.none() || named.none()) continue;
    if (const std::string begin = beginOf(file); note.starts_with(begin))
      return beginOf(named) + note.substr(begin.size());
    const std::string quoted = '"' + pathText(file.text) + '"';
    if (const auto at = note.find(quoted); at != note.npos)
      return std::string(note).replace(at, quoted.size(), '"' + pathText(named.text) + '"');
  }
  return note;
}

Settings atFrame(Settings settings, int frame, const ImageSettings& named) {
  const auto use = [&](const char* where, FilePath& file, const FilePath& name) {
    if (!isFrameName(file.text)) return;
    const FrameRange files = findFrames(where, file.text);
    if (frame >= files.count)
      throw UsageError(std::string(where) + " " + excerpt((name.none() ? file : name).text) + ": it has " +
                       countText(files.count, "frame") + ", from number " + std::to_string(files.first) + " on, not " +
                       std::to_string(frame + 1));
    file.text = frameFile(file.text, files.first + frame);
    touchCached(file.text);
  };
  use("--image", settings.scene.image.file, named.file);
  use("--depth", settings.scene.image.depth, named.depth);
  return settings;
}

}  // namespace satdof
