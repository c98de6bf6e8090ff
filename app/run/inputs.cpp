#include "app/run/inputs.h"

#include <algorithm>
#include <map>
#include <mutex>
#include <stdexcept>

#include "app/core/fields.h"
#include "app/core/files/cache.h"
#include "app/core/files/file_names.h"
#include "app/core/files/files.h"
#include "app/io/depth_image.h"
#include "app/scene/image/depth_map.h"
#include "app/scene/model/model.h"
#include "app/scene/model/reader.h"

namespace satdof {

namespace fs = std::filesystem;

namespace {

// The files that a model names. Caches the last model, which must be read for this.
std::vector<fs::path> filesOfModel(const fs::path& model) {
  static std::pair<std::string, std::vector<fs::path>> last;
  try {
    if (const std::string state = fileState(model); last.first != state) last = {state, referencedFiles(model)};
    return last.second;
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
