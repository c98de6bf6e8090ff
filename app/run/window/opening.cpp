#include "app/run/window/opening.h"

#include <algorithm>
#include <type_traits>

#include "app/core/fields.h"
#include "app/core/file_names.h"
#include "app/io/shot_file.h"
#include "app/run/window/exchange.h"
#include "app/scene/registry.h"
#include "app/scene/scene_files.h"
#include "app/ui/edit.h"

namespace satdof {

namespace {

// Files that a scene reads.
std::vector<FilePath> filesOf(const Settings& settings) {
  std::vector<FilePath> files;
  describe(settings, [&]<class T>(const Field& field, const T& value) {
    if constexpr (std::is_same_v<T, FilePath>)
      if (field.path().starts_with("scene.")) files.push_back(value);
  });
  return files;
}

bool namesFilm(const SceneSettings& scene) {
  return sceneRow(scene.kind).imageSize != nullptr &&
         (isFilm(scene.image.file.text) || isFilm(scene.image.depth.text));
}

// The settings with the fields of `to` that differ from `from`.
Settings withEdit(Settings settings, const Settings& from, const Settings& to) {
  const auto use = [](const Field&, auto& value, const auto& before, const auto& edited) {
    if (edited != before) value = edited;
  };
  describeAll(use, settings, from, to);
  return settings;
}

}  // namespace

void makePathsAbsolute(Settings& settings) {
  describe(settings, []<class T>(const Field&, T& value) {
    if constexpr (std::is_same_v<T, FilePath>) {
      if (!isRegularFile(value.text)) return;
      if (const auto whole = absolutePath(value.text); !whole.empty()) value.text = whole.string();
    }
  });
}

Opening::Opening() : loading_(read) {}

std::shared_ptr<const Opening::Opened> Opening::read(const Scenes& scenes, LoadProgress& progress) {
  const auto& [wanted, shown] = scenes;
  auto opened = std::make_shared<Opened>();
  SceneSettings scene = wanted;
  if (namesFilm(scene)) {
    const std::string what = "decoding " + std::filesystem::path(scene.image.file.text).filename().string();
    RecentImage asked{scene.image.file, scene.image.depth};
    if (asked.depth.none()) asked.depth.text = depthOfFilmBeside(asked.file.text).string();
    opened->film = openFilm(asked, {.told = [&](long frames) {
                              progress.report(0.0f, what + ": frame " + std::to_string(frames));
                            }});
    scene.image = opened->image = opened->film->frame(scene.image, 0);
  }
  opened->files = sceneRow(scene.kind).load(scene, shown, progress);
  return opened;
}

void Opening::begin(Session& session) {
  if (waiting_)
    advance(session);
  else
    loading_.forget();  // the scene holds what it shows
  before_ = editedOf(session);
}

void Opening::advance(Session& session) {
  const auto& [from, to, notice, action] = *waiting_;
  loading_.request({to.settings.scene, from.settings.scene}, false);
  if (loading_.status()) return;
  if (const auto& failure = loading_.failure(); !failure) {
    Settings edited = to.settings;
    if (const Opened& opened = *loading_.result(); opened.film) {
      film_ = opened.film;
      for (const std::string& note : film_->notes) session.report("settings", note);
      edited.scene.image = opened.image;
    }
    session.settings = withEdit(session.settings, from.settings, edited);
    session.preferences.preset = to.preset;
    forgetMissingPreset(session);
    session.action = action;
    session.centreCamera |= to.centreCamera;
    if (!notice.empty()) session.say(notice);
  } else if (failure->fault == LoadFault::cancelled) {
    session.say("Loading cancelled");
  } else {
    session.report("settings", failure->reason);
  }
  waiting_.reset();
}

void Opening::end(Session& session) {
  SceneSettings& scene = session.settings.scene;
  const SceneSettings& before = before_.settings.scene;
  const bool opens = std::exchange(dropped_, false) || filesOf(session.settings) != filesOf(before_.settings);
  if (scene.kind != before.kind) waiting_.reset();
  if (!opens || sceneRow(scene.kind).load == nullptr) return;
  const auto& film = session.preferences.film;
  ImageSettings& image = scene.image;
  // The depth of the image before is none of a film.
  if (namesFilm(scene) && image.depth == before.image.depth && !(film && film->file == image.file))
    image.depth = {};
  makePathsAbsolute(session.settings);
  const bool told = session.noticeAgeS == 0.0f;
  waiting_ = {before_, editedOf(session), told ? session.notice : "", std::exchange(session.action, {})};
  if (told) session.noticeAgeS = kNoticeS;
  session.settings = before_.settings;
  session.preferences.preset = before_.preset;
  session.centreCamera = before_.centreCamera;
  session.forget("settings");
  loading_.forget();
  loading_.request({waiting_->to.settings.scene, before}, false);
}

void Opening::drop(Session& session, const std::vector<std::filesystem::path>& files) {
  if (files.size() == 1 && holdsShot(files[0])) return useShotFile(session, files[0]);
  const Settings& settings = session.settings;
  const auto photos = photosOf(files);
  if (photos.size() > 1) {
    session.strip = {};
    session.strip.film = nameOfFrames(photos).value_or("");
    for (const auto& file : photos) session.strip.photos.push_back({absolutePath(file), {}});
  }
  Dropped found = photos.empty() ? dropped(settings, files) : droppedPhoto(settings, photos[0]);
  ImageSettings& image = found.settings.scene.image;
  if (showsPhoto(found.settings) && image.file != settings.scene.image.file) {
    image = withAutomaticDepth(image);
    const auto isOpened = [&](const PhotoStrip::Photo& photo) {
      return photo.file.string() == image.file.text;
    };
    if (std::ranges::none_of(session.strip.photos, isOpened)) session.strip = {};
  }
  show(session, found);
}

void Opening::show(Session& session, const Dropped& found) {
  useSettings(session, found.settings, found.notice);
  dropped_ = found.showsFile;
}

}  // namespace satdof
