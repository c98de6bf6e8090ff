#include "app/scene/model/library.h"

#include <stdexcept>
#include <utility>

#include "app/core/data_dir.h"
#include "app/scene/model/reader.h"

namespace satdof {

namespace {

// Shown without --model.
std::string demoPath() { return (dataDir() / "assets" / "evening.glb").string(); }

LastLoaded<std::string, ModelData>& models() {
  static LastLoaded<std::string, ModelData> last([](const std::string& path, LoadProgress& progress) {
    return readModel(path.empty() ? demoPath() : path, progress);
  });
  return last;
}

// Null if the file cannot be read, unless `required`: the scene says why.
template <class Result>
std::shared_ptr<const Result> load(LastLoaded<std::string, Result>& files, const FilePath& file,
                                   bool required, LoadProgress& progress) {
  try {
    return files.load(file.text, progress);
  } catch (const std::runtime_error&) {
    if (required) throw;
    return nullptr;
  }
}

}  // namespace

std::shared_ptr<const void> loadLibrary(const SceneSettings& scene, LoadProgress& progress) {
  auto model = load(models(), scene.model.file, scene.frame, progress);
  auto environment = load(environments(), scene.model.environment, !scene.frame, progress);
  return std::make_shared<std::pair<decltype(model), decltype(environment)>>(std::move(model),
                                                                             std::move(environment));
}

Library::Library() : models_(models()) {}

void Library::request(const ModelSettings& settings, bool wait) {
  wantedModel_ = settings.file.text;
  bool newModel = models_.request(wantedModel_, false);
  const bool newEnvironment = light_.request(settings, wait);  // the model is read meanwhile
  if (wait) newModel = models_.request(wantedModel_, true) || newModel;
  if (newModel) {
    model_.reset();  // before the new one takes memory
    model_ = std::make_unique<GpuModel>(models_.result());
  }
  if (newModel || newEnvironment) ++contents_;
}

std::optional<LoadStatus> Library::loading() const {
  auto model = models_.status();
  return model ? model : light_.loading();
}

void Library::cancel() {
  models_.cancel();
  light_.cancel();
}

std::string Library::message() const {
  const std::string model = loadingMessage(models_.failure(), wantedModel_);
  return model.empty() ? light_.message() : model;
}

}  // namespace satdof
