#pragma once
#include <memory>
#include <optional>
#include <string>

#include "app/core/settings.h"
#include "app/core/system/load_status.h"
#include "app/core/system/loading.h"
#include "app/scene/model/environment_light.h"
#include "app/scene/model/gpu_model.h"

namespace satdof {

// SceneRow::load() of the scene `model`.
std::shared_ptr<const void> loadLibrary(const SceneSettings& scene, const SceneSettings& shown, LoadProgress& progress);

// Loads and uploads the model and the environment of a scene.
class Library {
 public:
  Library();
  // Requests the files of the settings and uploads for up to 30 ms. `wait`: blocks until everything is uploaded or has
  // failed.
  void request(const ModelSettings& settings, bool wait);
  const GpuModel* model() const { return model_.get(); }  // null before the first model
  const EnvironmentLight& light() const { return light_; }
  // Whether model() is the model of the last request.
  bool hasModel() const { return model_ && !uploading_ && !models_.failure() && !models_.status(); }
  std::optional<LoadStatus> loading() const;
  void cancel();
  std::string message() const;
  // From the readers of the current model and environment.
  Notes notes() const;
  // Changes with every upload.
  int contents() const { return contents_; }

 private:
  bool upload(bool wait);

  Loading<std::string, ModelData> models_;
  EnvironmentLight light_{false};
  std::unique_ptr<GpuModel> model_, uploading_;
  float uploaded_ = 0.0f;  // fraction of uploading_
  std::string wantedModel_;
  int contents_ = 0;
};

}  // namespace satdof
