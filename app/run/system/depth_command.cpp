#include "app/run/system/depth_command.h"

#include <algorithm>
#include <cstdint>
#include <stdexcept>
#include <string_view>
#include <system_error>
#include <utility>

#include "app/core/files/cache.h"
#include "app/core/files/file_names.h"
#include "app/core/files/files.h"
#include "app/core/text/foreign_text.h"
#include "app/core/usage_error.h"
#include "app/io/depth_image.h"
#include "app/io/photograph.h"
#include "app/run/command_line/settings_text.h"
#include "app/run/inputs.h"
#include "app/run/work_folder.h"
#include "app/scene/image/depth_map.h"

namespace satdof {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view kImagePlace = "{image}", kDepthPlace = "{depth";

std::string hashOf(const fs::path& photo) { return hashed(readWholeFile(photo, FileLimits().bytes)); }

// The cache key: a hash of hashOf() the photograph, of the command and of its files.
std::string keyOf(const DepthCommand& command, const std::string& photo) {
  std::string bytes = photo;
  for (const std::string& word : command.words) bytes.append(1, '\0').append(word);
  for (const fs::path& file : filesOf(command)) {
    const std::string content = contentOf(file);
    bytes.append(1, '\0').append(content.empty() ? fileState(file) : content);
  }
  return hashed(bytes);
}

void replaceAll(std::string& text, std::string_view from, const std::string& to) {
  for (std::size_t at = 0; (at = text.find(from, at)) != text.npos; at += to.size()) text.replace(at, from.size(), to);
}

std::uintmax_t sizeOf(const fs::path& file) {
  std::error_code missing;
  const std::uintmax_t size = fs::file_size(file, missing);
  return missing ? 0 : size;
}

}  // namespace

DepthCommand depthCommand(const std::string& where, const std::string& text) {
  const std::string named = where + " " + excerpt(text);
  DepthCommand command{words(named, text)};
  bool image = false, depth = false;
  for (std::string& each : command.words) {
    image = image || each.find(kImagePlace) != each.npos;
    const auto from = each.find(kDepthPlace), to = each.find('}', from == each.npos ? 0 : from);
    if (from == each.npos || to == each.npos) continue;
    const std::string extension = each.substr(from + kDepthPlace.size(), to - from - kDepthPlace.size());
    if (!extension.empty() && (extension[0] != '.' || extension.find('/') != extension.npos)) continue;
    if (!extension.empty()) command.extension = extension;
    each.replace(from, to + 1 - from, std::string(kDepthPlace) + "}");
    depth = true;
  }
  if (!image || !depth || command.words.size() < 2)
    throw UsageError(named + ": expected a program and its arguments with {image} and {depth}");
  return command;
}

std::vector<fs::path> filesOf(const DepthCommand& command) {
  std::vector<fs::path> files;
  for (const std::string& word : command.words)
    for (const std::string& part : {word, word.substr(word.find('=') + 1)})
      if (isRegularFile(part) && (files.empty() || files.back() != part)) files.emplace_back(part);
  return files;
}

bool holdsDepth(const fs::path& file) try {
  depthMap(readDepth(file), {});
  return true;
} catch (const std::runtime_error&) {
  return false;
}

bool isFlatDepth(const fs::path& file) {
  const auto [least, most] = std::ranges::minmax(depthMap(readDepth(file), {}).depth);
  return least == most;
}

fs::path cachedDepth(const DepthCommand& command, const fs::path& photo) {
  fs::path found = cacheFolder("depth") / (keyOf(command, hashOf(photo)) + command.extension);
  holdCached(found);
  return isRegularFile(found) ? found : fs::path();
}

fs::path estimatedDepth(const DepthCommand& command, const fs::path& photo, const ToolWatch& watch) try {
  if (fs::path found = cachedDepth(command, photo); !found.empty() && holdsDepth(found)) return found;
  const std::string content = hashOf(photo), key = keyOf(command, content);
  const fs::path folder = cacheFolder("depth");
  const WorkFolder work(folder);
  const fs::path written = work.path() / ("depth" + command.extension);
  std::error_code failed;
  const fs::path whole = fs::absolute(photo, failed);
  std::vector<std::string> words = command.words;
  for (std::string& word : words) {
    replaceAll(word, std::string(kDepthPlace) + "}", written.string());
    replaceAll(word, kImagePlace, (failed ? photo : whole).string());
  }
  ToolWatch watched = watch;
  watched.onOutput = [&](const std::string& lines) {
    if (sizeOf(written) > FileLimits().bytes)
      throw std::runtime_error("writes a depth of more than " + std::to_string(FileLimits().bytes >> 20) + " MiB");
    if (watch.onOutput) watch.onOutput(lines);
  };
  runTool(words, watched);
  if (!fs::exists(fs::symlink_status(written, failed)))
    throw std::runtime_error(words[0] + " wrote no depth to {depth}");
  depthMap(readDepth(written), {});  // throws for a damaged depth, which must not be cached
  if (hashOf(photo) != content)
    throw std::runtime_error("the photograph changed while " + words[0] + " ran; try again");
  fs::path kept = folder / (key + command.extension);
  constexpr std::uintmax_t kMaxKeptBytes = std::uintmax_t{32} << 30;
  pruneCache(folder, kMaxKeptBytes);
  writeWholeFile(kept, readWholeFile(written, FileLimits().bytes));
  holdCached(kept);
  return kept;
} catch (const std::runtime_error& error) {
  throw std::runtime_error("cannot estimate the depth of \"" + pathText(photo.filename()) + "\": " + error.what());
}

void estimateMissing(const DepthCommand& command, ImageSettings& image, bool runs, const ToolWatch& watch) {
  const fs::path photo = image.file.text;
  if (!image.depth.none() || (runs && readPhotograph(photo, true).depth)) return;
  image.depth.text = (runs ? estimatedDepth(command, photo, watch) : cachedDepth(command, photo)).string();
}

}  // namespace satdof
