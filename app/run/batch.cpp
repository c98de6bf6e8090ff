#include "app/run/batch.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>
#include <string>

#include "app/core/files/file_identity.h"
#include "app/core/files/file_names.h"
#include "app/core/settings_json.h"
#include "app/core/text/count_text.h"
#include "app/core/text/foreign_text.h"
#include "app/core/usage_error.h"
#include "app/io/depth_image.h"
#include "app/io/layer_file.h"
#include "app/io/settings_file.h"
#include "app/run/dropped.h"
#include "app/scene/registry.h"
#include "app/scene/scene_files.h"

namespace satdof {

namespace fs = std::filesystem;

namespace {

// macOS leaves files such as ._a.jpg beside a.jpg.
bool isHidden(const fs::path& path) { return path.filename().string().starts_with('.'); }

// Adds the number of captures that it leaves out to `captures`.
std::vector<std::string> filesIn(const std::string& option, const std::string& folder, std::size_t& captures) {
  std::vector<fs::path> found;
  std::error_code failed;
  for (const fs::path& path : entriesOf(folder, failed))
    if (!isHidden(path) && isRegularFile(path) && isSceneFile(path)) found.push_back(path);
  if (failed) throw UsageError(option + ": " + failureText("read the folder", folder, failed.message()));
  if (found.empty()) throw UsageError(option + " " + pathText(folder) + ": the folder has no file to show");
  captures += leaveOutCaptures(found);
  leaveOutDepths(found);
  std::ranges::sort(found);
  std::vector<std::string> names(found.size());
  std::ranges::transform(found, names.begin(), [](const fs::path& path) { return path.string(); });
  return names;
}

// The files of the first option, with folders replaced by their files.
std::vector<std::string> expanded(const std::string& option, const std::vector<std::string>& values,
                                  std::size_t& captures) {
  std::vector<std::string> files;
  for (const std::string& value : values) {
    const auto found = isFolder(value) ? filesIn(option, value, captures) : std::vector<std::string>{value};
    files.insert(files.end(), found.begin(), found.end());
  }
  return files;
}

// The files of another option, one for each of `partners`. A missing file is an error of its run alone, when it is
// read.
std::vector<std::string> matched(const std::string& option, const std::vector<std::string>& values,
                                 const std::vector<std::string>& partners) {
  std::vector<std::string> files;
  if (values.size() == 1 && isFolder(values[0])) {
    const auto byStem = filesByStem(option, values[0]);
    for (const std::string& partner : partners) {
      const auto found = byStem.find(fs::path(partner).stem().string());
      files.push_back(found != byStem.end() ? found->second
                                            : (fs::path(values[0]) / fs::path(partner).stem()).string() + ".*");
    }
    return files;
  }
  if (values.size() == 1) return std::vector<std::string>(partners.size(), values[0]);
  if (values.size() != partners.size())
    throw UsageError(option + ": " + std::to_string(values.size()) + " files for " + std::to_string(partners.size()) +
                     "; give one for each, or a folder");
  return values;
}

}  // namespace

std::map<std::string, std::string> filesByStem(const std::string& option, const std::string& folder) {
  std::map<std::string, std::string> byStem;
  std::size_t captures = 0;
  for (const std::string& file : filesIn(option, folder, captures))
    byStem.emplace(fs::path(file).stem().string(), file);
  return byStem;
}

bool settingsShow(const CommandLine& line, const std::string& image) {
  if (line.settingsPath.empty()) return false;
  Settings settings;
  applySettingsFile(settings, line.settingsJson, line.settingsPath);
  const FilePath& shown = settings.scene.image.file;
  return !shown.none() && fileIdentity(shown.text) == fileIdentity(image);
}

bool saysReading(const std::pair<std::string, std::string>& option) {
  Settings asked;
  applyOption(asked, option.first, option.second);
  return asked.scene.image != withReading(asked.scene.image, {});
}

void useDepthBeside(CommandLine& line, const std::string& photo) {
  if (line.given("--depth") || settingsShow(line, photo)) return;
  const bool isFile = isRegularFile(photo);
  if (!isFile && line.settingsPath.empty()) return;
  const fs::path depth = isFile ? depthBeside(photo) : fs::path();
  line.options.emplace_back("--depth", depth.string());
  line.findsCorrection = depth == correctedDepthOf(photo);
  if (!line.findsCorrection) return;
  std::string leftOut;
  for (const auto& option : line.options)
    if (saysReading(option)) leftOut.append(leftOut.empty() ? "" : ", ").append(option.first);
  if (leftOut.empty()) return;
  std::erase_if(line.options, saysReading);
  addNotes(line.notes, inFile(depth, {"read as the brush wrote it, without " + leftOut +
                                      ": these apply to a depth that --depth names"}));
}

bool isBatch(const CommandLine& line) {
  return std::ranges::any_of(
      line.files, [](const auto& of) { return of.second.size() > 1 || std::ranges::any_of(of.second, isFolder); });
}

void useImageSize(const CommandLine& line, Settings& settings) {
  const auto imageSize = sceneRow(settings.scene.kind).imageSize;
  if (imageSize == nullptr || line.given("--size") || !line.settingsPath.empty()) return;
  if (const auto size = imageSize(settings.scene)) settings.size = *size;
}

std::vector<CommandLine> batchOf(const CommandLine& line) {
  std::vector<std::vector<std::string>> values;
  std::size_t captures = 0;
  for (const auto& [option, given] : line.files)
    values.push_back(values.empty() ? expanded(option, given, captures) : matched(option, given, values.front()));
  std::vector<CommandLine> lines;
  std::set<std::string> names;
  for (std::size_t i = 0; i < values.front().size(); ++i) {
    CommandLine one = line;
    one.files.clear();
    if (line.files.front().first == "--image") useDepthBeside(one, values.front()[i]);
    for (std::size_t j = 0; j < values.size(); ++j)
      for (auto& [option, text] : one.options)
        if (option == line.files[j].first) text = values[j][i];
    const std::string stem = fs::path(values.front()[i]).stem().string();
    std::string name = stem;
    for (int number = 2; !names.insert(name).second; ++number) name = stem + "-" + std::to_string(number);
    one.name = values.front()[i];
    for (fs::path* const path : {&one.capture, &one.sequence, &one.video, &one.stats})
      if (!path->empty() && *path != "-") *path = suffixedPath(*path, name);
    lines.push_back(one);
  }
  if (captures > 0)
    addNote(lines.front().notes, countText(captures, "capture") + " of photographs in the same folder: left out");
  return lines;
}

}  // namespace satdof
