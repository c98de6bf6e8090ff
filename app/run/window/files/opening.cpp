#include "app/run/window/files/opening.h"

#include <algorithm>
#include <map>
#include <set>
#include <stdexcept>

#include "app/core/fields.h"
#include "app/core/files/file_names.h"
#include "app/core/files/files.h"
#include "app/core/text/count_text.h"
#include "app/core/text/foreign_text.h"
#include "app/core/tracking.h"
#include "app/io/codec.h"
#include "app/io/shot_file.h"
#include "app/run/batch.h"
#include "app/run/system/depth_command.h"
#include "app/run/window/files/recent_images.h"
#include "app/scene/image/depth_map.h"
#include "app/scene/registry.h"
#include "app/scene/scene_files.h"
#include "app/ui/edit.h"

namespace satdof {

namespace {

// Files that a scene reads.
std::vector<FilePath> filesOf(const Settings& settings) {
  std::vector<FilePath> files;
  forEachFile(settings, [&](const Field& field, const FilePath& file) {
    if (field.path().starts_with("scene.")) files.push_back(file);
  });
  return files;
}

// If the photograph of a dropped capture does not exist, replaces it by a recent image of the same name; without
// one, shows the capture itself as a picture.
Dropped withPhotograph(Dropped found, const Settings& asked, const std::filesystem::path& file,
                       const std::vector<RecentImage>& recent) {
  ImageSettings& image = found.settings.scene.image;
  const std::filesystem::path named = image.file.text;
  if (!showsPhoto(found.settings) || isFilm(image.file.text) || isRegularFile(named)) return found;
  const auto known = std::ranges::find_if(recent, [&](const RecentImage& shown) {
    const std::filesystem::path path = shown.file.text;
    return path.filename() == named.filename() && isRegularFile(path);
  });
  if (known != recent.end()) {
    image.file = known->file;
    if (!isRegularFile(image.depth.text)) image.depth = known->depth;
    return found;
  }
  if (codecByExtension(file) == nullptr) return found;
  Dropped picture = droppedPhoto(asked, file);
  picture.notice += "\nas a picture: its photograph, " + pathText(named.filename()) + ", is not here";
  return picture;
}

void showStrip(Session& session, const PhotoStrip& strip) {
  session.strip.closes = false;
  session.strip.replaceBy(strip);
}

// The depth of a photograph: of a folder, the file with the name of the photograph.
FilePath depthIn(const FilePath& depth, const FilePath& photo) {
  if (!isFolder(depth.text)) return depth;
  const std::string name = std::filesystem::path(photo.text).stem().string();
  const auto files = filesByStem("depth", depth.text);
  const auto found = files.find(name);
  if (found != files.end()) return {found->second};
  throw std::runtime_error(failureText("read", depth.text, "no image in this folder is called " + name));
}

// The depths in another folder of the photographs of a strip, by their stem; empty if the folder holds other images.
std::map<std::string, std::string> depthsOf(const std::vector<std::filesystem::path>& strip,
                                            const std::filesystem::path& folder) {
  auto depths = filesByStem("depth", folder.string());
  const auto& [name, first] = *depths.begin();
  std::set<std::string> names;
  for (const auto& photo : strip) {
    names.insert(photo.stem().string());
    if (folderOf(photo) == folderOf(first)) return {};
  }
  const bool named = std::ranges::all_of(depths, [&](const auto& depth) { return names.contains(depth.first); });
  return named && holdsDepth(first) ? std::move(depths) : std::map<std::string, std::string>();
}

// The edit that gives depths to the photographs of the strip.
SessionEdit depthsEdit(const Settings& asked, const std::map<std::string, std::string>& depths) {
  return [asked, depths](Session& session, Opening& opening) {
    const auto depthOf = [&](const std::filesystem::path& photo) {
      const auto found = depths.find(photo.stem().string());
      return found == depths.end() ? std::string() : found->second;
    };
    for (PhotoStrip::Photo& photo : session.strip.photos)
      if (const std::string depth = depthOf(photo.file); !depth.empty()) photo.depth = depth;
    const std::string notice = "Depths of " + countText(depths.size(), "photograph"),
                      shown = asked.scene.image.file.text, depth = depthOf(shown);
    if (depth.empty()) return session.say(notice);
    Opening::showEdit(asked, droppedPhoto(asked, shown, depth, notice))(session, opening);
  };
}

bool namesFilm(const SceneSettings& scene) {
  return sceneRow(scene.kind).showsPhotographs() && (isFilm(scene.image.file.text) || isFilm(scene.image.depth.text));
}

}  // namespace

void makePathsAbsolute(Settings& settings) {
  forEachFile(settings, [](const Field&, FilePath& file) {
    if (!isRegularFile(file.text)) return;
    if (const auto whole = absolutePath(file.text); !whole.empty()) file.text = whole.string();
  });
}

std::filesystem::path photographOf(const Settings& settings) {
  return showsPhoto(settings) ? shownFile(settings).text : "";
}

Opening::Opening() : loading_(read) {}

std::shared_ptr<const Opening::Opened> Opening::read(const Request& request, LoadProgress& progress) {
  auto opened = std::make_shared<Opened>();
  opened->settings = request.wanted;
  makePathsAbsolute(opened->settings);
  SceneSettings& scene = opened->settings.scene;
  if (namesFilm(scene)) {
    const std::string what = "decoding " + std::filesystem::path(scene.image.file.text).filename().string();
    RecentImage asked{scene.image.file, scene.image.depth};
    if (asked.depth.none()) asked.depth.text = depthOfFilmBeside(asked.file.text).string();
    opened->film = openFilm(
        asked, {.onFrames = [&](long frames) { progress.report(0.0f, what + ": frame " + std::to_string(frames)); }});
    scene.image = opened->film->frame(scene.image, 0);
  } else if (sceneRow(scene.kind).showsPhotographs()) {
    scene.image.depth = depthIn(scene.image.depth, scene.image.file);
  }
  opened->files = sceneRow(scene.kind).load(scene, request.shown.scene, progress);
  return opened;
}

void Opening::beginEdits(Session& session) {
  if (waiting_)
    advance(session);
  else
    loading_.forget();  // the scene holds what it shows
  before_ = stateOf(session);
  const auto& film = session.preferences.film;
  filmBefore_ = film ? film->file : FilePath();
  session.attempt("settings", [&] { applyFound(session, {}); });
}

void Opening::advance(Session& session) {
  const auto& [from, to, notice, action] = *waiting_;
  loading_.request({to.settings, from.settings}, false);
  if (loading_.status()) return;
  if (const auto& failure = loading_.failure(); !failure) {
    const Opened& opened = *loading_.result();
    session.strip.unread.clear();
    if (std::exchange(closesStrip_, false)) showStrip(session, {});
    if (opened.film) {
      film_ = opened.film;
      for (const std::string& note : film_->notes) session.report("settings", note);
    }
    session.settings = withEdit(session.settings, from.settings, opened.settings);
    session.preferences.preset = to.preset;
    if (session.timeline.shot == from.shot.shot) replaceShot(session, to.shot);
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

void Opening::endEdits(Session& session) {
  SceneSettings& scene = session.settings.scene;
  const SceneSettings& before = before_.settings.scene;
  const bool opens = std::exchange(showsFiles_, false) || filesOf(session.settings) != filesOf(before_.settings);
  if (scene.kind != before.kind) waiting_.reset();
  LeftShot shot = std::exchange(shotOfFiles_, std::nullopt).value_or(LeftShot());
  LensSettings& lens = session.settings.lens;
  if (!showsAnother(before_.settings, session.settings, filmBefore_))
    shot = leftShot(session);
  else if (lens.trackedObject == before_.settings.lens.trackedObject)
    forgetTrackedPoint(lens);
  if (!opens || sceneRow(scene.kind).load == nullptr) {
    if (scene.kind != before.kind) session.strip.unread.clear();
    return replaceShot(session, shot);
  }
  const auto& film = session.preferences.film;
  ImageSettings& image = scene.image;
  // A film does not keep the depth of the image before it.
  if (namesFilm(scene) && image.depth == before.image.depth && !(film && film->file == image.file)) image.depth = {};
  const bool hasNotice = session.notices.ageS == 0.0f;
  waiting_ = {before_, stateOf(session), hasNotice ? session.notices.text : "", std::exchange(session.action, {})};
  waiting_->to.shot = shot;
  if (hasNotice) session.notices.ageS = kNoticeS;
  session.settings = before_.settings;
  session.preferences.preset = before_.preset;
  session.centreCamera = before_.centreCamera;
  session.forget("settings");
  loading_.forget();
  loading_.request({waiting_->to.settings, before_.settings}, false);
}

SessionEdit Opening::dropEdit(const Settings& asked, const std::vector<std::filesystem::path>& files,
                              const std::vector<RecentImage>& recent, const std::vector<std::filesystem::path>& strip) {
  if (files.size() == 1 && holdsShot(files[0])) return shotEdit(files[0]);
  std::size_t captures = 0;
  auto photos = photosOf(files, &captures);
  for (auto& file : photos) file = absolutePath(file);
  if (files.size() == 1 && !photos.empty() && !strip.empty() && showsPhoto(asked))
    if (const auto depths = depthsOf(strip, absolutePath(files[0])); !depths.empty()) return depthsEdit(asked, depths);
  const PhotoStrip opens = photos.size() > 1 ? stripOf(photos, recent) : PhotoStrip();
  Dropped found =
      photos.empty() ? withPhotograph(dropped(asked, files), asked, files[0], recent) : droppedPhoto(asked, photos[0]);
  if (captures > 0) found.notice += "\nLeft out: " + countText(captures, "capture") + " of these photographs";
  ImageSettings& image = found.settings.scene.image;
  const bool another = showsPhoto(found.settings) && image.file != asked.scene.image.file;
  if ((another || gainsCorrection(image, asked.scene.image)) && image == withReading(image, asked.scene.image))
    image = withRememberedReading(withAutomaticDepth(image), recent);
  if (another) restoreFocus(found.settings, {image.file, image.depth}, recent);
  // A window that starts with these files has the view of its command line.
  const bool starts = sceneRow(asked.scene.kind).showsPhotographs() && asked.scene.image.file.none();
  if (another && found.showsFile && !starts) found.settings.technique.view = Technique().view;
  return [file = image.file.text, strip = opens, another, asked, found](Session& session, Opening& opening) {
    Dropped opened = found;
    if (!strip.photos.empty()) {
      showStrip(session, strip);
      session.strip.unread = file;
      const PhotoStrip::Photo& first = session.strip.photos[0];
      if (first.left) restoreLeft(opened.settings, *first.left, session.strip.ownLooks && first.hasLook);
      opened.shot = first.shot;
    }
    if (another || !strip.photos.empty()) session.brush.kind.reset();
    const auto isOpened = [&](const PhotoStrip::Photo& photo) { return photo.file.string() == file; };
    const bool closesStrip = another && std::ranges::none_of(session.strip.photos, isOpened);
    showEdit(asked, opened)(session, opening);
    opening.closesStrip_ = closesStrip;
  };
}

void Opening::drop(Session& session, const std::vector<std::filesystem::path>& files) {
  if (files.empty()) return;
  std::vector<std::filesystem::path> strip;
  for (const PhotoStrip::Photo& photo : session.strip.photos) strip.push_back(photo.file);
  find(session, files[0], [files, recent = session.preferences.recentImages, strip](const Settings& asked) {
    return dropEdit(asked, files, recent, strip);
  });
}

void Opening::find(Session& session, const std::filesystem::path& file,
                   const std::function<SessionEdit(const Settings& asked)>& find) {
  inquiry_.ask("opening " + file.filename().string(), [find, asked = session.settings] { return find(asked); });
  applyFound(session, Inquiry<SessionEdit>::kMoment);
}

void Opening::applyFound(Session& session, std::chrono::milliseconds most) {
  if (const auto edit = inquiry_.take(most)) (*edit)(session, *this);
}

SessionEdit Opening::showEdit(const Settings& asked, const Dropped& found) {
  return [asked, found](Session& session, Opening& opening) {
    Dropped now = found;
    now.settings = withEdit(session.settings, asked, found.settings);
    opening.show(session, now);
  };
}

void Opening::cancel(Session& session) {
  loading_.cancel();
  session.strip.unread.clear();
  if (!inquiry_.waits()) return;
  inquiry_.leave();
  session.say("Loading cancelled");
}

void Opening::show(Session& session, const Dropped& found) {
  useSettings(session, found.settings, found.notice);
  showsFiles_ = found.showsFile;
  shotOfFiles_ = found.shot;
  closesStrip_ = false;
}

}  // namespace satdof
