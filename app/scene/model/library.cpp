#include "app/scene/model/library.h"

#include <chrono>
#include <stdexcept>
#include <utility>

#include "app/core/files/data_dir.h"
#include "app/scene/model/reader.h"

namespace satdof {

namespace {

constexpr std::chrono::milliseconds kUploadTime{30};  // of a call of request() that does not wait

// The model that is shown without --model.
std::string demoPath() { return (dataDir() / "assets" / "evening.glb").string(); }

HeldResults<std::string, ModelData>& models() {
  static HeldResults<std::string, ModelData> held([](const std::string& path, LoadProgress& progress) {
    return readModel(path.empty() ? demoPath() : path, progress);
  });
  return held;
}

// Returns null for an unreadable file that is `shown` already: the scene reports the reason.
template <class Result>
std::shared_ptr<const Result> load(HeldResults<std::string, Result>& files, const FilePath& file, const FilePath& shown,
                                   LoadProgress& progress) {
  try {
    return files.load(file.text, progress);
  } catch (const std::runtime_error&) {
    if (file != shown) throw;
    return nullptr;
  }
}

}  // namespace

std::shared_ptr<const void> loadLibrary(const SceneSettings& scene, const SceneSettings& shown,
                                        LoadProgress& progress) {
  auto model = load(models(), scene.model.file, shown.model.file, progress);
  auto environment = load(environments(), scene.model.environment, shown.model.environment, progress);
  return std::make_shared<std::pair<decltype(model), decltype(environment)>>(std::move(model), std::move(environment));
}

Library::Library() : models_(models()) {}

void Library::request(const ModelSettings& settings, bool wait) {
  wantedModel_ = settings.file.text;
  bool newModel = models_.request(wantedModel_, false);
  const bool newEnvironment = light_.request(settings, wait);  // while the model is being read
  if (wait) newModel = models_.request(wantedModel_, true) || newModel;
  if (newModel) {
    if (wait) model_.reset();  // frees memory for the next model
    uploading_ = std::make_unique<GpuModel>(models_.result());
  }
  const bool uploaded = uploading_ && upload(wait);
  if (uploaded) model_ = std::move(uploading_);
  if (uploaded || newEnvironment) ++contents_;
}

// Uploads textures for kUploadTime; `wait`: all textures. Returns whether the model is complete.
bool Library::upload(bool wait) {
  const auto end = std::chrono::steady_clock::now() + kUploadTime;
  do {
    uploaded_ = uploading_->upload();
  } while (uploaded_ < 1.0f && (wait || std::chrono::steady_clock::now() < end));
  return uploaded_ == 1.0f;
}

std::optional<LoadStatus> Library::loading() const {
  if (auto model = models_.status()) return model;
  return uploading_ ? LoadStatus{uploaded_, "uploading the textures"} : light_.loading();
}

void Library::cancel() {
  models_.cancel();
  light_.cancel();
}

std::string Library::message() const {
  const std::string model = loadingMessage(models_.failure(), wantedModel_);
  return model.empty() ? light_.message() : model;
}

Notes Library::notes() const {
  Notes found = model_ ? model_->model().notes : Notes();
  addNotes(found, light_.notes());
  return found;
}

}  // namespace satdof
