#include "app/run/inputs.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <mutex>
#include <stdexcept>

#include "app/core/fields.h"
#include "app/core/files/cache.h"
#include "app/core/files/file_identity.h"
#include "app/core/files/file_names.h"
#include "app/core/files/files.h"
#include "app/io/depth_image.h"
#include "app/run/film/frame_files.h"
#include "app/scene/image/depth_map.h"
#include "app/scene/model/model.h"
#include "app/scene/model/reader.h"

namespace satdof {

namespace fs = std::filesystem;

namespace {

// The files that a model names. Caches the last model, which must be read for this.
std::vector<fs::path> filesOfModel(const fs::path& model) {
  static std::mutex mutex;  // not held while a file is read
  static std::pair<std::string, std::vector<fs::path>> last;
  try {
    const std::string state = fileState(model);
    {
      const std::scoped_lock lock(mutex);
      if (last.first == state) return last.second;
    }
    std::vector<fs::path> files = referencedFiles(model);
    const std::scoped_lock lock(mutex);
    last = {state, files};
    return files;
  } catch (const std::runtime_error&) {  // loading the model reports it
    return {};
  }
}

}  // namespace

std::string contentOf(const fs::path& file) {
  static std::mutex mutex;
  static std::map<std::string, std::string> known;
  const std::scoped_lock lock(mutex);
  try {
    std::string& content = known[fileState(file)];
    if (content.empty()) content = hashed(readWholeFile(file, ModelLimits().fileBytes));
    return content;
  } catch (const std::runtime_error&) {  // loading the file reports it
    return {};
  }
}

std::vector<fs::path> filesReadWith(const fs::path& file) {
  if (isModelFile(file)) return filesOfModel(file);
  const fs::path calibration = calibrationBeside(file);
  return isRegularFile(calibration) ? std::vector{calibration} : std::vector<fs::path>();
}

std::vector<fs::path> filesNamed(const std::string& where, const std::string& name) {
  std::vector<fs::path> files = {name};
  if (!isFrameName(name)) return files;
  const FrameRange frames = findFrames(where, name);
  for (int frame = 0; frame < frames.count; ++frame) files.emplace_back(frameFile(name, frames.first + frame));
  return files;
}

bool isRead(const Settings& settings, const std::optional<RecentImage>& film, const std::vector<fs::path>& others,
            const fs::path& file) {
  if (!isThere(file)) return false;
  const auto isBeside = [photo = photoOfDepth(file)](const fs::path& other) {
    return photo == other || photo == other.parent_path() / other.stem();
  };
  if (std::ranges::any_of(others, isBeside)) return true;
  std::vector<fs::path> inputs = inputsOf(settings);
  inputs.insert(inputs.end(), others.begin(), others.end());
  inputs.emplace_back(settings.scene.image.depth.text);  // inputsOf() has the smoothed depth
  if (film)
    for (const FilePath& named : {film->file, film->depth})
      if (!named.none()) std::ranges::copy(filesNamed("film", named.text), std::back_inserter(inputs));
  const std::string identity = fileIdentity(file);
  return std::ranges::any_of(inputs, [&](const fs::path& input) { return fileIdentity(input) == identity; });
}

std::vector<fs::path> inputsOf(Settings settings) {
  settings.scene.image = withReadDepth(settings.scene.image);
  std::vector<fs::path> inputs;
  if (settings.filter.mask.isFile()) inputs.emplace_back(settings.filter.mask.text);
  forEachFile(settings, [&](const Field&, const FilePath& file) {
    if (file.none()) return;
    inputs.emplace_back(file.text);
    std::ranges::copy(filesReadWith(file.text), std::back_inserter(inputs));
  });
  return inputs;
}

std::string InputHashes::of(const Settings& settings) {
  std::string all;
  for (const fs::path& input : inputsOf(settings)) {
    const auto [file, isNew] = seen_.try_emplace(input);
    if (isNew) file->second = contentOf(input);
    all += file->second + ' ';
  }
  return hashed(all);
}

}  // namespace satdof
