#include "app/scene/registry.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <stdexcept>

#include "app/core/text/letters.h"
#include "app/scene/bodies/bodies.h"
#include "app/scene/image/image.h"
#include "app/scene/model/environment.h"
#include "app/scene/model/library.h"
#include "app/scene/model/model_scene.h"
#include "app/scene/model/reader.h"
#include "app/scene/teapots/teapots.h"

namespace satdof {

namespace {

constexpr std::array kImageFiles = {
    SceneFile{"scene.image.file", "Image", SceneFile::Drop::asImage, imageExtensions},
    SceneFile{"scene.image.depth", "Depth", SceneFile::Drop::asImage, imageExtensions},
};
constexpr std::array kModelFiles = {
    SceneFile{"scene.model.file", "Model", SceneFile::Drop::shows, modelExtensions},
    SceneFile{"scene.model.environment", "Environment", SceneFile::Drop::joins, environmentExtensions},
};

constexpr std::array kScenes = {
    SceneRow{.kind = SceneKind::teapots,
             .name = "teapots",
             .summary = "teapots on a tiled floor at dusk, with small bright lamps",
             .capabilities = {},
             .make = makeTeapots,
             .load = loadTeapots,
             .sharedSettings = "scene.model.environment"},
    SceneRow{SceneKind::bodies,
             "bodies",
             "bodies that shine and move by their gravity",
             {.bestInLayers = {"small bodies hide little"},
              .background = {"light of bodies covers nothing"},
              .fasterLens = {"a box around a point of light is a square"}},
             makeBodies,
             restartBodies,
             sameInitialBodies},
    SceneRow{.kind = SceneKind::image,
             .name = "image",
             .summary = "an image with its depth, from files",
             .capabilities = {.otherViewpoints = {"an image with depth has one viewpoint"},
                              .animated = {"an image stands still"},
                              .background = {"an image fills its rectangle"}},
             .make = makeImageScene,
             .imageSize = imageSize,
             .photographFacts = imageFacts,
             .load = loadImage,
             .files = kImageFiles},
    SceneRow{.kind = SceneKind::model,
             .name = "model",
             .summary = "a glTF or OBJ model in the light of an environment",
             .capabilities = {.bestInLayers = {"lamps behind a fence would break into fragments"}},
             .make = makeModelScene,
             .restart = requestModelFraming,
             .sameStart = sameModelFraming,
             .sameLight = sameModelLight,
             .restartLabel = "Frame the model",
             .restartHelp = "Place camera and focus for the model",
             .load = loadLibrary,
             .files = kModelFiles},
};

constexpr EnumEntry<SceneKind> entryOf(const SceneRow& row) { return {row.kind, row.name, row.summary}; }

constexpr auto kEntries = [] {
  std::array<EnumEntry<SceneKind>, kScenes.size()> found{};
  std::ranges::transform(kScenes, found.begin(), entryOf);
  return found;
}();

constinit std::span<const SceneRow> rows = kScenes;
constinit std::span<const EnumEntry<SceneKind>> names = kEntries;

}  // namespace

std::span<const SceneRow> sceneRows() { return rows; }

AddedScene::AddedScene(const SceneRow& row) : rows_(rows.begin(), rows.end()) {
  rows_.push_back(row);
  std::ranges::transform(rows_, std::back_inserter(names_), entryOf);
  rows = rows_;
  names = names_;
}

AddedScene::~AddedScene() {
  rows = kScenes;
  names = kEntries;
}

bool SceneFile::opens(const std::filesystem::path& file) const {
  const auto all = extensions();
  return std::ranges::find(all, lowerCase(file.extension().string())) != all.end();
}

const SceneRow& sceneRow(SceneKind kind) {
  const auto found = std::ranges::find(rows, kind, &SceneRow::kind);
  if (found == rows.end()) throw std::logic_error("a scene without a row in app/scene/registry.cpp");
  return *found;
}

std::unique_ptr<Scene> makeScene(SceneKind kind) { return sceneRow(kind).make(); }

Scene& SharedScene::of(SceneKind kind) {
  if (!scene_ || kind_ != kind) {
    scene_ = makeScene(kind);
    kind_ = kind;
  }
  return *scene_;
}

std::span<const EnumEntry<SceneKind>> entries(SceneKind) { return names; }

}  // namespace satdof
