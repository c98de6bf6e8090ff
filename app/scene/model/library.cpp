#include "app/scene/model/library.h"

#include "app/core/data_dir.h"
#include "app/scene/model/reader.h"

namespace satdof {

namespace {

// Shown without --model.
std::string demoPath() { return (dataDir() / "assets" / "evening.glb").string(); }

std::string reason(const std::string& error, const std::string& what) {
  return error == "cancelled" ? "the loading of " + what + " was cancelled" : error;
}

}  // namespace

Library::Library()
    : models_([](const std::string& path, LoadProgress& progress) {
        return readModel(path.empty() ? demoPath() : path, progress);
      }),
      environments_(
          [](const std::string& name, LoadProgress& progress) { return loadEnvironment(name, progress); }) {}

void Library::request(const ModelSettings& settings, bool wait) {
  wantedModel_ = settings.file.text;
  wantedEnvironment_ = settings.environment.text;
  bool newModel = models_.request(wantedModel_, false),
       newEnvironment = environments_.request(wantedEnvironment_, false);
  if (wait) {  // both were running side by side
    newModel = models_.request(wantedModel_, true) || newModel;
    newEnvironment = environments_.request(wantedEnvironment_, true) || newEnvironment;
  }
  if (newModel) {
    model_.reset();  // before the new one takes memory
    model_ = std::make_unique<GpuModel>(models_.result());
  }
  if (newEnvironment) environment_ = std::make_unique<GpuEnvironment>(environments_.result());
  if (newModel || newEnvironment) ++contents_;
}

std::optional<LoadStatus> Library::loading() const {
  auto model = models_.status();
  return model ? model : environments_.status();
}

void Library::cancel() {
  models_.cancel();
  environments_.cancel();
}

std::string Library::message() const {
  const std::string model = models_.error(), environment = environments_.error();
  if (!model.empty()) return reason(model, wantedModel_);
  return environment.empty() ? std::string() : reason(environment, wantedEnvironment_);
}

}  // namespace satdof
