#include "app/run/window/files/photo_strip.h"

#include <algorithm>
#include <utility>

#include "app/core/files/file_names.h"
#include "app/core/files/file_timeout.h"
#include "app/core/files/files.h"
#include "app/core/settings_json.h"
#include "app/core/text/count_text.h"
#include "app/io/damage.h"
#include "app/io/image_file.h"
#include "app/run/dropped.h"
#include "app/run/system/depth_command.h"
#include "app/run/window/files/recent_images.h"
#include "app/run/window/recording/recorder.h"
#include "app/scene/image/depth_map.h"
#include "app/scene/image/image.h"
#include "app/scene/scene_files.h"
#include "app/ui/edit.h"

namespace satdof {

namespace {

// Removes the error of a source from the session. Returns its text.
std::string takeError(Session& session, const char* source) {
  const auto found = std::ranges::find(session.notices.errors, source, &ErrorReport::source);
  std::string text = found == session.notices.errors.end() ? "" : found->text;
  session.forget(source);
  return text;
}

// The file of an export before it gets a number.
std::filesystem::path exportedFile(const Session& session, const PhotoStrip::Photo& photo) {
  return captureFile(session.preferences.capture, refocusedName(photo.file));
}

// The cached depth of the photograph by the depth command; empty: none.
std::string cachedEstimate(const std::string& command, const std::filesystem::path& photo) try {
  return command.empty() ? "" : cachedDepth(depthCommand("", command), photo).string();
} catch (const std::runtime_error&) {
  return {};
}

void goTo(Session& session, Opening& opening, std::size_t at) {
  PhotoStrip& strip = session.strip;
  strip.at = at;
  const PhotoStrip::Photo& photo = strip.photos[at];
  strip.unread = photo.file;
  strip.closes = false;
  const std::string place = std::to_string(at + 1) + " of " + std::to_string(strip.photos.size()) + ": ";
  opening.find(
      session, photo.file,
      [photo, place, ownLooks = strip.ownLooks, firstLook = strip.firstLook, command = session.preferences.depthCommand,
       recent = session.preferences.recentImages](const Settings& asked) {
        Dropped found = droppedPhoto(asked, photo.file);
        ImageSettings& image = found.settings.scene.image;
        if (!photo.depth.empty() && !isCorrection(image)) image.depth.text = photo.depth.string();
        if (firstLook && !(photo.left && photo.hasLook)) applyLook(found.settings, lookToJson(*firstLook), "");
        if (photo.left) {
          restoreLeft(found.settings, *photo.left, ownLooks && photo.hasLook);
        } else {
          if (image.depth.none()) image.depth.text = cachedEstimate(command, photo.file);
          image = withRememberedReading(withAutomaticDepth(image), recent);
        }
        found.shot = photo.shot;
        found.notice = place + photo.file.filename().string();
        return Opening::showEdit(asked, found);
      });
}

}  // namespace

void StripController::serve(Session& session, Opening& opening) {
  PhotoStrip& strip = session.strip;
  // Undo can show another photograph of the strip, too.
  const FilePath shown = showsPhoto(session.settings) ? shownFile(session.settings) : FilePath();
  const auto found =
      std::ranges::find(strip.photos, shown.text, [](const PhotoStrip::Photo& photo) { return photo.file.string(); });
  if (found != strip.photos.end()) {
    if ((shown != shown_ || step_ == Step::back || strip.unread.empty()) && !opening.loading())
      strip.at = static_cast<std::size_t>(found - strip.photos.begin());
    found->left = session.settings;
    found->hasLook = true;
    found->shot = leftShot(session);
    if (strip.ownLooks && !strip.firstLook && !opening.loading()) strip.firstLook = session.settings;
  }
  if (shown.text != strip.unread.string()) shown_ = shown;  // else the settings name a photograph that is still unread
  if (!strip.ownLooks) strip.firstLook.reset();
  if (strip.planned && strip.planned->as != captureFile(session.preferences.capture, "")) plan(session);

  // Photographs were opened during an export: the strip is a new one.
  const bool shows = step_ == Step::estimate || step_ == Step::write || step_ == Step::store;
  if ((step_ == Step::read || shows) && !strip.exporting) {
    step_ = Step::none;
    goTo_.reset();
  }
  if (step_ == Step::read && !goTo_ && !opening.loading()) {
    step_ = Step::write;
    if (shown.text != strip.photos[strip.exporting->at].file.string()) wrote(session, {});
  } else if (shows && strip.exporting && shown.text != strip.photos[strip.exporting->at].file.string())
    end(session);  // undo has shown another photograph
  if (step_ == Step::estimate && !session.estimating && !opening.loading()) step_ = Step::write;
  if (step_ == Step::store && pendingWrites().empty())
    count(session,
          std::ranges::find(session.notices.errors, "capture", &ErrorReport::source) == session.notices.errors.end());
  if (step_ == Step::back && !opening.loading()) {
    step_ = Step::none;
    session.preferences.preset = presetBefore_;
    if (complete_.empty())
      session.say(summary_);
    else
      session.saySaved(complete_, summary_);
  }
  if (step_ == Step::end) {
    step_ = Step::back;
    opening.show(session, {before_, "", true, shotBefore_});
  }
  if (const auto at = std::exchange(goTo_, std::nullopt); at && *at < strip.photos.size()) goTo(session, opening, *at);
}

void StripController::step(const PhotoStrip& strip, int photos) {
  const auto to = static_cast<std::ptrdiff_t>(goTo_.value_or(strip.at)) + photos;
  if (strip.shown() && !strip.exporting && to >= 0 && to < std::ssize(strip.photos))
    goTo_ = static_cast<std::size_t>(to);
}

void StripController::plan(Session& session) {
  constexpr std::size_t kMaxNames = 100;
  PhotoStrip& strip = session.strip;
  std::vector<std::filesystem::path> files;
  for (std::size_t i = 0; i < std::min(strip.photos.size(), kMaxNames); ++i)
    files.push_back(exportedFile(session, strip.photos[i]));
  PhotoStrip::Plan& plan = strip.planned.emplace();
  plan.as = captureFile(session.preferences.capture, "");
  plan.folder = absolutePath(plan.as).parent_path();
  for (const auto& file : numberedInOrder(files)) plan.names.push_back(file.filename().string());
}

void StripController::cancel(Session& session) {
  session.strip.planned.reset();
  if (session.strip.exporting) end(session);
}

void StripController::exportAll(Session& session) {
  if (!session.strip.shown() || exports() || session.sequence) return;
  session.strip.planned.reset();
  const std::filesystem::path folder = absolutePath(captureFile(session.preferences.capture, "")).parent_path();
  readWithTimeout(folder, [folder] {
    createFolders(folder);
    requireWritable(folder / "image");
    return true;
  });
  before_ = session.settings;
  presetBefore_ = session.preferences.preset;
  shotBefore_ = leftShot(session);
  complete_.clear();
  for (const char* const source : {"export", "settings", "capture", "depth"}) session.forget(source);
  session.strip.exporting = PhotoStrip::Export();
  goTo_ = 0;
  estimated_ = false;
  step_ = Step::read;
}

bool StripController::estimates(Session& session, DepthEstimator& depth) {
  if (session.estimating) return true;
  if (estimated_ || !session.shown.lacksDepth || session.preferences.depthCommand.empty()) return false;
  estimated_ = true;
  session.attempt("depth", [&] { depth.estimate(session); });
  if (session.estimating) step_ = Step::estimate;
  return session.estimating.has_value();
}

std::optional<std::filesystem::path> StripController::toWrite(const Session& session, bool showsFile) const {
  if (step_ != Step::write || !showsFile || session.settings.scene.frame) return std::nullopt;
  return exportedFile(session, session.strip.photos[session.strip.exporting->at]);
}

void StripController::wrote(Session& session, const std::filesystem::path& written) {
  written_ = written;
  if (written.empty() || pendingWrites().empty()) return count(session, !written.empty());
  step_ = Step::store;
}

void StripController::count(Session& session, bool written) {
  PhotoStrip::Export& exporting = *session.strip.exporting;
  if (written) {
    ++exporting.written;
    exporting.flat += session.shown.lacksDepth ? 1 : 0;
    exporting.damaged += lacksPixels(session.shown.notes) ? 1 : 0;
    complete_ = written_;
    std::string why = takeError(session, "depth");
    if (why.empty() && session.shown.lacksDepth) why = session.shown.depthDamage;
    if (exporting.withoutDepth.find(why) == std::string::npos) exporting.withoutDepth.append("\n").append(why);
  } else {
    std::string why = takeError(session, "settings");
    if (why.empty()) why = takeError(session, "capture");
    if (why.empty()) return end(session);  // cancelled
    exporting.failures.append("\n").append(session.strip.photos[exporting.at].file.filename().string());
    exporting.failures.append(": ").append(why);
  }
  next(session);
}

void StripController::next(Session& session) {
  PhotoStrip& strip = session.strip;
  if (++strip.exporting->at == strip.photos.size()) return end(session);
  goTo_ = strip.exporting->at;
  estimated_ = false;
  step_ = Step::read;
}

void StripController::end(Session& session) {
  PhotoStrip& strip = session.strip;
  auto [at, written, flat, damaged, failures, withoutDepth] = *std::exchange(strip.exporting, std::nullopt);
  summary_ = "Exported " + std::to_string(written) + " of " + countText(strip.photos.size(), "photograph");
  if (flat > 0) summary_ += ", " + std::to_string(flat) + " of them without depth";
  if (damaged > 0) summary_ += ", " + std::to_string(damaged) + " of them damaged";
  if (at < strip.photos.size()) {
    constexpr std::size_t kMaxNames = 20;
    summary_ += ", then cancelled";
    const std::size_t last = std::min(strip.photos.size(), at + kMaxNames);
    for (std::size_t i = at; i < last; ++i)
      failures.append(i == at ? "\n" : ", ").append(strip.photos[i].file.filename().string());
    if (last < strip.photos.size())
      failures.append(" and ").append(std::to_string(strip.photos.size() - last)).append(" more");
    failures.append(": cancelled");
  }
  if (!failures.empty()) session.report("export", "Not exported:" + failures);
  if (!withoutDepth.empty()) session.report("depth", "Exported without depth:" + withoutDepth);
  goTo_.reset();
  step_ = Step::end;
}

}  // namespace satdof
