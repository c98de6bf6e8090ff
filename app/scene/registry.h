#pragma once
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "app/core/settings.h"
#include "app/io/exif.h"
#include "app/scene/scene.h"

namespace satdof {

class LoadProgress;

// Whether a scene can do something: `missing` is null, or the reason why not, as a sentence's second half:
// "an image with depth has one viewpoint".
struct Capability {
  const char* missing = nullptr;
  explicit operator bool() const { return missing == nullptr; }
};

struct SceneCapabilities {
  Capability otherViewpoints{};  // draw() from any point of the aperture, for the reference lens
  Capability secondLayer{};      // draw() of what the nearest surface hides, for the layered lens
  Capability bestInLayers{};     // the second layer brings the image closer to the reference
  Capability animated{};         // the image depends on timeS
  Capability background{};       // SceneSettings::background applies
  Capability fasterLens{};       // quick images of a faster lens than the best are like it
};

// A setting that names a file of a scene.
struct SceneFile {
  enum class Drop {
    shows,    // selects the scene, which frames the file
    joins,    // joins what the scene shows, if it is the one shown
    asImage,  // an image alone, or with its depth (app/run/dropped.h)
  };
  const char* field;   // "scene.model.file"
  const char* notice;  // of a drop: "Model"
  Drop drop;
  std::vector<std::string> (*extensions)();             // of such files, in lower case: ".obj"
  bool opens(const std::filesystem::path& file) const;  // by its name
};

// One scene. Its own settings are the group "scene.<name>." of fields.h.
struct SceneRow {
  SceneKind kind;
  const char* name;     // as on the command line
  const char* summary;  // for --list and tooltips
  SceneCapabilities capabilities;
  std::unique_ptr<Scene> (*make)();
  // Of a scene that simulates, else null: lets the simulation start at scene.timeS, and tells whether the
  // simulation of two settings starts alike, the time aside. Of a scene that frames its file: frames it again.
  void (*restart)(SceneSettings& scene) = nullptr;
  bool (*startsAlike)(const SceneSettings& a, const SceneSettings& b) = nullptr;
  // Of a scene that chooses its exposure, else null: whether two settings have the same light.
  bool (*litAlike)(const SceneSettings& a, const SceneSettings& b) = nullptr;
  const char* restartLabel = "Restart";
  const char* restartHelp = "Start again from the initial state";
  // Of a scene that shows an image file, else null: the size in pixels of that image. Throws std::runtime_error if
  // the file cannot be read; none if there is no file.
  std::optional<glm::ivec2> (*imageSize)(const SceneSettings& scene) = nullptr;
  // Of a scene that shows a photograph, else null: what captures keep of the facts in its file.
  PhotographFacts (*photographFacts)(const SceneSettings& scene, KeepMetadata keep) = nullptr;
  // Of a scene that shows files, else null: reads those that the settings name, on any thread and without OpenGL. While
  // the caller holds what it returns, a scene takes it at once. Throws std::runtime_error or LoadCancelled, but
  // may pass over a damaged file that `shown` names, too.
  std::shared_ptr<const void> (*load)(const SceneSettings& scene, const SceneSettings& shown,
                                      LoadProgress& progress) = nullptr;
  std::span<const SceneFile> files{};  // the one that the scene shows first
  // Fields of another scene's group that this scene reads, too: all whose path begins so. Null: none.
  const char* readsToo = nullptr;

  bool showsPhotographs() const { return imageSize != nullptr; }
};

std::span<const SceneRow> sceneRows();
// Adds a row while the object lives: for tests.
class AddedScene {
 public:
  explicit AddedScene(const SceneRow& row);
  ~AddedScene();
  AddedScene(const AddedScene&) = delete;
  AddedScene& operator=(const AddedScene&) = delete;

 private:
  std::vector<SceneRow> rows_;
  std::vector<EnumEntry<SceneKind>> names_;
};
const SceneRow& sceneRow(SceneKind kind);
// Needs a current context. Throws std::runtime_error with the reason if a file or a shader is damaged.
std::unique_ptr<Scene> makeScene(SceneKind kind);

// One scene for several renderers: they share its meshes, files and simulation, and each has its own targets.
class SharedScene {
 public:
  // Throws as makeScene(). Valid until a call for another kind.
  Scene& of(SceneKind kind);

 private:
  SceneKind kind_{};
  std::unique_ptr<Scene> scene_;
};

}  // namespace satdof
