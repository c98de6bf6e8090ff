#include "app/run/window/opening.h"

#include <utility>

#include "app/run/window/exchange.h"
#include "app/scene/image/image.h"
#include "app/scene/registry.h"

namespace satdof {

namespace {

// The settings with the files of `from`.
Settings withFiles(Settings settings, const SceneSettings& from) {
  SceneSettings& scene = settings.scene;
  scene.kind = from.kind;
  scene.image.file = from.image.file;
  scene.image.depth = from.image.depth;
  scene.model.file = from.model.file;
  scene.model.environment = from.model.environment;
  scene.frame = from.frame;
  return settings;
}

}  // namespace

Opening::Opening()
    : loading_([](const SceneSettings& scene, LoadProgress& progress) {
        return sceneRow(scene.kind).load(scene, progress);
      }) {}

void Opening::open(Session& session, const std::vector<std::filesystem::path>& files) {
  Settings settings = session.settings;
  if (lacksDepth_ && files.size() == 1 && looksLikeDepth(files[0])) {
    settings.scene.kind = lacksDepth_->kind;
    settings.scene.image.file = lacksDepth_->image.file;
  }
  Dropped found = dropped(settings, files);
  loading_.forget();
  wanted_.reset();
  lacksDepth_.reset();
  if (!found.showsFile) return useSettings(session, found.settings, found.notice);
  loading_.request(found.settings.scene, false);
  session.forget("settings");
  wanted_ = std::move(found);
}

void Opening::advance(Session& session) {
  if (!wanted_) return loading_.forget();  // the scene holds what it shows
  const SceneSettings& scene = wanted_->settings.scene;
  loading_.request(scene, false);
  if (loading_.status()) return;
  if (const auto& failure = loading_.failure(); !failure) {
    useSettings(session, withFiles(session.settings, scene), wanted_->notice);
  } else if (failure->fault == LoadFault::cancelled) {
    session.say("Loading cancelled");
  } else if (failure->fault == LoadFault::noDepth) {
    lacksDepth_ = scene;
    session.report("settings", failure->reason + kDropDepth);
  } else {
    session.report("settings", failure->reason);
  }
  wanted_.reset();
}

}  // namespace satdof
