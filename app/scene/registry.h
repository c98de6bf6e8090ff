#pragma once
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "app/core/settings.h"
#include "app/io/metadata/exif.h"
#include "app/scene/scene.h"

namespace satdof {

class LoadProgress;

// Whether a scene can do something. `missing`: the reason why not, such as "an image with depth has one viewpoint";
// null: it can.
struct Capability {
  const char* missing = nullptr;
  explicit operator bool() const { return missing == nullptr; }
};

struct SceneCapabilities {
  Capability otherViewpoints{};  // draws from any point of the aperture, for the reference lens
  Capability secondLayer{};      // draws the surfaces behind the nearest ones, for the layered lens
  Capability bestInLayers{};     // the second layer brings the layered lens closer to the reference
  Capability animated{};         // the image depends on timeS
  Capability background{};       // SceneSettings::background applies
  Capability fasterLens{};       // previews by a faster technique resemble the image of the best one
};

// A setting that names a file of a scene.
struct SceneFile {
  enum class Drop {
    shows,    // selects the scene, which frames the file
    joins,    // sets the file if the scene is shown
    asImage,  // an image alone, or with its depth (app/run/dropped.h)
  };
  const char* field;   // of the settings: "scene.model.file"
  const char* notice;  // kind of the file in the message about a drop: "Model"
  Drop drop;
  std::vector<std::string> (*extensions)();             // in lower case: ".obj"
  bool opens(const std::filesystem::path& file) const;  // whether the extension is one of these, in any case
};

// One scene. Its settings are the group "scene.<name>." of fields.h.
struct SceneRow {
  SceneKind kind;
  const char* name;     // as on the command line
  const char* summary;  // for --list and tooltips
  SceneCapabilities capabilities;
  std::unique_ptr<Scene> (*make)();
  // A simulation: starts again at scene.timeS. A model: requests a new framing of its file. Null for other scenes.
  void (*restart)(SceneSettings& scene) = nullptr;
  // Whether both settings start the same simulation, or frame the same model. Null where `restart` is null.
  bool (*sameStart)(const SceneSettings& a, const SceneSettings& b) = nullptr;
  // Whether both settings have the same light. Null for scenes that do not choose an exposure.
  bool (*sameLight)(const SceneSettings& a, const SceneSettings& b) = nullptr;
  const char* restartLabel = "Restart";
  const char* restartHelp = "Start again from the initial state";
  // Size in pixels of the image file that the settings name; none without a file. Throws std::runtime_error if the file
  // cannot be read. Null for scenes that show no image file.
  std::optional<glm::ivec2> (*imageSize)(const SceneSettings& scene) = nullptr;
  // The metadata of the photograph that captures keep. Null for scenes that show no photograph.
  PhotographFacts (*photographFacts)(const SceneSettings& scene, KeepMetadata keep) = nullptr;
  // Reads the files that the settings name. Thread-safe, without OpenGL. While the caller holds the result, a scene
  // takes the contents from a cache. Throws std::runtime_error or LoadCancelled; may ignore a damaged file that `shown`
  // names as well. Null for scenes without files.
  std::shared_ptr<const void> (*load)(const SceneSettings& scene, const SceneSettings& shown,
                                      LoadProgress& progress) = nullptr;
  std::span<const SceneFile> files{};  // the main file first
  // Prefix of the paths of settings that this scene reads from the group of another scene. Null: none.
  const char* sharedSettings = nullptr;

  bool showsPhotographs() const { return imageSize != nullptr; }
};

std::span<const SceneRow> sceneRows();
// Test hook: registers one more scene while the object lives.
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
// Needs a current OpenGL context. Throws std::runtime_error with the reason if a file or a shader is damaged.
std::unique_ptr<Scene> makeScene(SceneKind kind);

// The scene that several renderers share: meshes, files and simulation. Each renderer has its own targets.
class SharedScene {
 public:
  // Returns the scene, made by makeScene() if it is of another kind. Valid until a call for another kind.
  Scene& of(SceneKind kind);

 private:
  SceneKind kind_{};
  std::unique_ptr<Scene> scene_;
};

}  // namespace satdof
