#include "app/scene/model/library.h"

#include "app/core/data_dir.h"
#include "app/scene/model/reader.h"

namespace satdof {

namespace {

// Shown without --model.
std::string demoPath() { return (dataDir() / "assets" / "evening.glb").string(); }

}  // namespace

Library::Library()
    : models_([](const std::string& path, LoadProgress& progress) {
        return readModel(path.empty() ? demoPath() : path, progress);
      }) {}

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
  const std::string model = loadingMessage(models_.error(), wantedModel_);
  return model.empty() ? light_.message() : model;
}

}  // namespace satdof
