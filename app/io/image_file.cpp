#include "app/io/image_file.h"

#include <algorithm>
#include <cstdio>
#include <map>
#include <stdexcept>

#include "app/core/files/file_names.h"
#include "app/core/text/foreign_text.h"
#include "app/core/text/formatted.h"
#include "app/core/usage_error.h"
#include "app/io/codec.h"

namespace satdof {

namespace fs = std::filesystem;

void requireBitDepth(const fs::path& path, int bits) {
  const Codec& codec = writerOf(path);
  const auto& choices = codec.choices;
  if (bits == 0 || std::ranges::find(choices, bits, &CaptureChoice::bits) != choices.end()) return;
  throw UsageError("cannot write " + pathText(path) + " with --bit-depth " + std::to_string(bits) + ": a " +
                   codec.name +
                   (choices.size() > 1 ? " has " + codec.bitDepths() + " bits a channel"
                                       : " has a single bit depth; leave the option out"));
}

std::optional<std::string> imageText(std::string_view bytes, std::string_view keyword) {
  const Codec* const codec = codecByContent(bytes);
  return codec != nullptr && codec->text != nullptr ? codec->text(bytes, keyword) : std::nullopt;
}

bool holdsText(const std::filesystem::path& file, std::string_view keyword) {
  constexpr std::size_t kHead = std::size_t{1} << 20;
  return imageText(readFileHead(file, kHead), keyword).has_value();
}

void requireCapturePath(const fs::path& path, bool withUi) {
  const auto showsUi = [](const Codec& codec) { return codec.showsUi; };
  if (const Codec& codec = writerOf(path); withUi && !codec.showsUi)
    throw UsageError("cannot write " + pathText(path) + " with --with-ui: only " + codecExtensions(showsUi, "and") +
                     " holds the panels; expected a name ending in " + codecExtensions(showsUi, "or"));
  requireWritable(path);
}

fs::path numberedPath(const fs::path& path, int number) {
  return path.parent_path() / path.stem().concat(formatted("-%04d", number)).concat(path.extension().string());
}

namespace {

// Returns names that continue after the highest number of `path` among `entries`.
NextName numberedAfter(const std::vector<fs::path>& entries, const fs::path& path) {
  constexpr int kLast = 999999999;
  const std::string stem = path.stem().string() + "-", extension = path.extension().string();
  int highest = 0;
  for (const fs::path& taken : entries) {
    if (!taken.filename().string().starts_with(stem) || taken.extension() != extension) continue;
    int number = 0, length = 0;
    const std::string digits = taken.stem().string().substr(stem.size());
    if (std::sscanf(digits.c_str(), "%9d%n", &number, &length) == 1 && length == static_cast<int>(digits.size()))
      highest = std::max(highest, number);
  }
  return [path, highest]() mutable {
    if (highest < kLast) return numberedPath(path, ++highest);
    throw std::runtime_error("cannot number another " + pathText(path) + ": " + std::to_string(kLast) +
                             " is taken; choose another name");
  };
}

}  // namespace

// For an unreadable folder, numbers start at 1; writing reports the reason.
NextName numberedNames(const fs::path& path) { return numberedAfter(entriesOf(folderOf(path)), path); }

std::vector<fs::path> numberedInOrder(const std::vector<fs::path>& paths) {
  if (paths.empty()) return {};
  const auto entries = entriesOf(folderOf(paths.front()));
  std::map<fs::path, NextName> names;
  std::vector<fs::path> found;
  found.reserve(paths.size());
  for (const fs::path& path : paths)
    found.push_back(names.try_emplace(path, numberedAfter(entries, path)).first->second());
  return found;
}

fs::path writeNumbered(const fs::path& path, std::string_view bytes) {
  return writeNewFile(folderOf(path), bytes, numberedNames(path));
}

}  // namespace satdof
