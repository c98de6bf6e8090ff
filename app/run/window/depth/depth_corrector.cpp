#include "app/run/window/depth/depth_corrector.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <exception>
#include <functional>
#include <string_view>
#include <utility>
#include <vector>

#include "app/core/files/file_names.h"
#include "app/core/files/file_timeout.h"
#include "app/core/files/files.h"
#include "app/core/text/foreign_text.h"
#include "app/io/codec.h"
#include "app/io/depth_image.h"
#include "app/io/formats/exr.h"
#include "app/io/layer_file.h"
#include "app/run/dropped.h"
#include "app/run/window/files/recent_images.h"
#include "app/scene/image/image.h"
#include "app/scene/scene_files.h"

namespace satdof {

namespace {

namespace fs = std::filesystem;

constexpr double kLateS = 2.0;  // a longer write is reported
constexpr std::chrono::seconds kLongestEnd(10);
constexpr double kAgainS = 5.0;         // from a failure to the next attempt
constexpr std::size_t kMaxUndone = 2;   // each keeps up to DepthCorrection::kMaxBytes for undo, and for redo
constexpr std::size_t kMaxWaiting = 8;  // each keeps a depth in memory
// A depth is written so long after the last stroke, or after the first.
constexpr double kQuietS = 1.0, kLongestS = 3.0;

// Whether another program has replaced the file that had this fileState().
bool isReplaced(const fs::path& file, const std::string& state) {
  return isRegularFile(file) && fileState(file) != state;
}

double steadyS() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

// Whether the brush wrote the file.
bool isBrushFile(const fs::path& file) {
  constexpr std::size_t kHead = std::size_t{1} << 16;
  return exrText(readFileHead(file, kHead), kCorrectedKeyword).has_value();
}

std::size_t hashOf(const std::vector<float>& depth) {
  return std::hash<std::string_view>()({reinterpret_cast<const char*>(depth.data()), depth.size() * sizeof(float)});
}

}  // namespace

std::filesystem::path DepthCorrector::Painted::file() const {
  const fs::path& other = correction->depth()->file;
  return other.empty() ? correctedDepthOf(image.file.text) : other;
}

bool DepthCorrector::hasNews(double nowS) const {
  return inquiry_.ended() || isLate() || (!job_ && ((unwritten_ && isDue(nowS)) || isDueAgain(nowS)));
}

bool DepthCorrector::isLate() const {
  const double sinceS = job_ ? job_->writesS->load() : 0.0;
  return !lateTold_ && !inquiry_.ended() && sinceS > 0.0 && steadyS() - sinceS > kLateS;
}

bool DepthCorrector::isUnwritten() const {
  const auto isOfThis = [&](const Painted& other) { return other.image.file == now_.image.file; };
  return (job_ && isOfThis(job_->painted)) || std::ranges::any_of(waiting_, isOfThis);
}

std::string DepthCorrector::claim() try {
  if (isUnwritten()) return "its strokes before are not written yet";
  if (waiting_.size() >= kMaxWaiting) return std::to_string(kMaxWaiting) + " others are not written yet";
  const fs::path file = now_.file();
  const EditableDepth& depth = *now_.correction->depth();
  const auto whyKeep = [file, isShown = fs::path(now_.image.depth.text) == file, damaged = !depth.damage.empty(),
                        state = depth.state] {
    if (!isThere(file)) return "";
    if (!isShown) return "it is an earlier correction: drop it on the window to go on with it, or move it away";
    if (damaged) return "it is damaged: move it away";
    if (isReplaced(file, state))
      return "another window has changed it: show another photograph, then this one, to go on with it";
    return isBrushFile(file) ? "" : "it was not written by the brush";
  };
  using Claimed = std::pair<std::shared_ptr<NameClaim>, std::string>;
  auto [claimed, why] = readWithTimeout(file, [file, whyKeep]() -> Claimed {
    try {
      auto claim = std::make_shared<NameClaim>(file);
      return {std::move(claim), whyKeep()};
    } catch (const std::runtime_error&) {
      return {nullptr, "another window corrects it: show another photograph there"};
    }
  });
  if (why.empty()) now_.claim = std::move(claimed);
  return why;
} catch (const FileTimeout&) {
  return "its folder does not answer";
}

bool DepthCorrector::isDue(double nowS) const { return nowS - strokeS_ > kQuietS || nowS - firstS_ > kLongestS; }

void DepthCorrector::serve(Session& session, Opening& opening, History& history, double nowS) {
  if (!opening.loading()) forgetDeleted(session, history);
  session.attempt("brush", [&] {
    if (!opening.loading())  // takeWritten() edits settings that an opened file would replace
      if (const auto written = inquiry_.take()) takeWritten(session, history, **written, nowS);
    if (isLate()) {
      lateTold_ = true;
      session.report("brush", pendingWriteText(job_->file));
    }
    follow(session);
    if (!opening.loading()) paint(session, nowS);
    if (job_ || (resets_ && opening.loading())) return;
    if (resets_ && !unwritten_)
      resetNow(session);
    else if (unwritten_ && !now_.correction->isInStroke() && (isDue(nowS) || resets_))
      write(now_);
    else if (isDueAgain(nowS))
      write(waiting_.front());
  });
}

void DepthCorrector::leave(Session& session) {
  if (now_.correction && now_.correction->redoable() > 0) {
    forgetUndone(now_.image.file);
    const std::size_t depth = hashOf(now_.correction->depth()->map.depth);
    undone_.push_back({now_.image.file, depth, now_.correction->strokes(), now_.original});
  }
  if (undone_.size() > kMaxUndone) {
    const fs::path oldest = undone_.front().photograph.text;
    undone_.erase(undone_.begin());
    session.say("Depth brush: no redo any more of strokes on " + pathText(oldest.filename()));
  }
  if (std::exchange(unwritten_, false)) {
    waiting_.insert(waiting_.begin(), now_);
    againS_ = 0.0;
  }
  now_ = {};
}

void DepthCorrector::forgetUndone(const FilePath& photograph) {
  std::erase_if(undone_, [&](const Undone& other) { return other.photograph == photograph; });
}

void DepthCorrector::takeUndone() {
  if (!seeksUndone_ || isUnwritten()) return;
  seeksUndone_ = false;
  const auto left = std::ranges::find(undone_, now_.image.file, &Undone::photograph);
  if (left == undone_.end() || left->depth != hashOf(now_.correction->depth()->map.depth)) return;
  now_.correction->setStrokes(std::move(left->strokes));
  if (!now_.original) now_.original = left->original;
  undone_.erase(left);
}

void DepthCorrector::follow(Session& session) {
  const bool photo = showsPhoto(session.settings);
  if (!photo || shownFile(session.settings) != now_.image.file) leave(session);
  auto shown = photo ? correctionOf(session.settings.scene.image) : nullptr;
  const bool damaged = shown && !shown->depth()->damage.empty();
  if (damaged && told_.lock() != shown->depth()) {
    told_ = shown->depth();
    tellsDamage_ = true;
    session.report("brush", shown->depth()->damage);
  }
  const bool isOther = !damaged && (shown || !photo);
  if (isOther && std::exchange(tellsDamage_, false) && failure_.empty()) session.forget("brush");
  if (!session.brush.kind || !shown) return;
  if (!now_.correction || now_.correction->depth() != shown->depth()) {
    leave(session);
    const ImageSettings& image = session.settings.scene.image;
    now_ = {std::move(shown), image, isCorrection(image) ? std::nullopt : std::optional(image), {}};
    seeksUndone_ = true;
  }
  takeUndone();
}

bool DepthCorrector::mayChange(Session& session) {
  if (!now_.claim) whyNot_ = session.inputFrames > 0 ? "it is a frame of a film" : claim();
  if (whyNot_.empty()) return true;
  session.report("brush", "cannot keep a corrected depth in \"" + now_.file().string() + "\": " + whyNot_);
  return false;
}

void DepthCorrector::paint(Session& session, double nowS) {
  DepthTool& brush = session.brush;
  const auto places = std::exchange(brush.places, {});
  const bool begins = std::exchange(brush.begins, false), ends = std::exchange(brush.ends, false);
  bool undo = std::exchange(undo_, false), redo = std::exchange(redo_, false);
  if (!now_.correction) {
    brush.undoable = brush.redoable = 0;
    return;
  }
  const EditableDepth& depth = *now_.correction->depth();
  const int before = depth.edits;
  const glm::vec2 size(depth.map.size);
  if (!places.empty() && begins && brush.kind) {
    if (!mayChange(session)) {
    } else if (session.settings.scene.image.parallax > 0.0f && session.moves()) {
      session.say("Depth brush: pause the animation first");
    } else {
      session.forget("brush");
      seeksUndone_ = false;
      forgetUndone(now_.image.file);
      now_.correction->begin({.kind = *brush.kind,
                              .at = places.front() * size,
                              .radiusPx = brush.radius * size.x,
                              .strength = brush.strength,
                              .edge = brush.edge});
    }
  }
  for (const glm::vec2 place : places) now_.correction->moveTo(place * size);
  if (ends) now_.correction->end();
  if ((undo || redo) && !mayChange(session)) undo = redo = false;
  if (undo && now_.correction->undo()) session.say("Undo: stroke of the brush");
  if (redo && now_.correction->redo()) session.say("Redo: stroke of the brush");
  brush.undoable = now_.correction->undoable();
  brush.redoable = now_.correction->redoable();
  brush.edits = depth.edits + depth.hiddenEdits;
  if (depth.edits == before) return;
  if (!std::exchange(unwritten_, true)) firstS_ = nowS;
  strokeS_ = nowS;
}

void DepthCorrector::write(Painted painted) {
  const auto isSame = [&](const Painted& other) { return other.correction == painted.correction; };
  if (isSame(now_)) unwritten_ = false;
  const bool again = std::erase_if(waiting_, isSame) > 0;
  fs::path file = painted.file();
  const auto writesS = std::make_shared<std::atomic<double>>(0.0);
  const bool deletes = painted.isUndone();
  const auto make = [picture = painted.correction->picture(), map = painted.correction->depth()->map,
                     state = painted.correction->depth()->state, file, writesS, again, deletes] {
    auto written = std::make_shared<Written>();
    try {
      if (again) requireWritable(file);  // fails before the long computation
      ThreadPool threads(hardwareThreads());
      written->hidden = hiddenLayer(*picture, map, threads);
      written->counts = depthCounts(map.depth);
      if (deletes) {
        *writesS = steadyS();
        written->file = file;
        if (!isReplaced(file, state)) fs::remove(file);
        return written;
      }
      const LayerImage layer{map.size, map.nearM, {map.depth}};
      const std::string bytes = codecByExtension(file)->layer(Layer::depth, layer, {{kCorrectedKeyword, "by a brush"}});
      *writesS = steadyS();
      written->file = file;
      if (isReplaced(file, state))
        written->file =
            writeNewFile(folderOf(file), bytes, [file, copy = 1]() mutable { return copyPath(file, ++copy); });
      else
        writeWholeFile(file, bytes);
      written->state = fileState(written->file);
    } catch (const std::exception& error) {
      written->failure = error.what();
    }
    return written;
  };
  inquiry_.ask("writing the depth", make);
  job_ = Job{std::move(painted), std::move(file), deletes, writesS};
}

void DepthCorrector::forgetDeleted(const Session& session, History& history) {
  if (!deleted_) return;
  const auto [deleted, without] = *std::exchange(deleted_, std::nullopt);
  const ImageSettings& image = session.settings.scene.image;
  const bool shows = showsPhoto(session.settings) && image.file == deleted.file;
  if (!shows || image.depth != deleted.depth) history.amendDepth(deleted, shows ? image : without);
}

void DepthCorrector::resetNow(Session& session) {
  resets_ = false;
  const ImageSettings& shown = session.settings.scene.image;
  // Undo strokes that could not be written.
  std::erase_if(waiting_, [&](const Painted& other) {
    if (other.image.file != shown.file) return false;
    while (other.correction->undo()) {
    }
    session.brush.edits = other.correction->depth()->edits + other.correction->depth()->hiddenEdits;
    return true;
  });
  forgetUndone(shown.file);
  ImageSettings image = shown;
  if (isCorrection(shown)) {
    const fs::path photograph = shown.file.text, file = correctedDepthOf(photograph);
    const fs::path beside = readWithTimeout(file, [photograph, file, held = now_.claim] {
      const auto claim = held ? held : std::make_shared<NameClaim>(file);
      if (isThere(file) && !isBrushFile(file))
        throw std::runtime_error(failureText("delete", file, "it was not written by the brush"));
      fs::remove(file);
      return depthBeside(photograph, false);
    });
    const auto& recent = session.preferences.recentImages;
    const auto before = std::ranges::find_if(recent, [&](const RecentImage& other) {
      ImageSettings read;
      read.file = other.file;
      read.depth = other.depth;
      return other.file == shown.file && !isCorrection(read);
    });
    image = withAutomaticDepth(std::move(image));
    image.depth.text = before == recent.end() ? beside.string() : before->depth.text;
    image = withRememberedReading(image, recent);
    deleted_ = {shown, image};
    now_ = {};
  }
  session.brush.undoable = session.brush.redoable = 0;
  session.forget("brush");
  session.settings.scene.image = withoutLevels(image);
  session.action = "Reset depth";
  session.say("Depth: without levels and strokes");
}

void DepthCorrector::forgetFailure(Session& session) {
  if (!std::exchange(failure_, {}).empty()) session.forget("brush");
}

void DepthCorrector::takeWritten(Session& session, History& history, const Written& written, double nowS) {
  const auto [painted, asked, deletes, writesS] = *std::exchange(job_, std::nullopt);
  if (std::exchange(lateTold_, false)) session.forget("brush");
  EditableDepth& depth = *painted.correction->depth();
  if (!written.hidden.rgba.empty()) {
    depth.hidden = written.hidden;
    depth.map.counts = written.counts;
    ++depth.hiddenEdits;
    session.brush.edits = depth.edits + depth.hiddenEdits;
  }
  if (!written.failure.empty()) {
    waiting_.push_back(painted);
    againS_ = nowS + kAgainS;
    if (std::exchange(failure_, written.failure) != written.failure)
      session.report("brush", "cannot keep the corrected depth: " + written.failure);
    return;
  }
  if (waiting_.empty()) forgetFailure(session);
  const fs::path& file = written.file;
  depth.state = written.state;
  if (file != asked) {
    depth.file = file;
    session.report("brush", "another program has replaced \"" + pathText(asked) +
                                "\": it stays, and the strokes are kept in " + pathText(file.filename()));
  }
  ImageSettings& image = session.settings.scene.image;
  if (deletes && !painted.isUndone()) return;  // the strokes since then are written next
  const bool goesOn = now_.correction == painted.correction;
  const bool shows = showsPhoto(session.settings) && image.file == painted.image.file &&
                     (goesOn || image.depth == painted.image.depth);
  ImageSettings named = withCorrectedDepth(shows ? image : painted.image, file);
  if (deletes) {
    deleted_ = {named, withReading(named, *painted.original)};
    named = deleted_->without;
    named.depth = deleted_->without.depth = painted.original->depth;
  }
  for (Painted& other : waiting_)
    if (other.correction == painted.correction) other.image = named;
  if (goesOn) now_.image = named;
  const char* const action = "Corrected depth";
  if (!shows && !deletes) history.insertDepth(painted.image, named, action);
  if (!shows || image == named) return;
  if (goesOn) {
    const auto name = deletes ? nameOriginal : nameCorrection;
    if (auto kept = name(*painted.correction, image, named)) named_ = std::move(kept);
  }
  image = named;
  if (deletes) return session.say("Depth: without strokes");
  session.action = action;
  session.saySaved(file, "Depth kept as " + file.filename().string());
}

void DepthCorrector::awaitWritten(Session& session, History& history) {
  if (const auto written = inquiry_.take(kLongestEnd))
    takeWritten(session, history, **written, 0.0);
  else if (job_)
    session.report("brush", failureText("write", job_->file, "its folder does not answer"));
}

void DepthCorrector::finish(Session& session, History& history) {
  forgetFailure(session);
  awaitWritten(session, history);
  leave(session);
  for (const Painted& painted : std::vector(waiting_)) {
    if (job_) break;  // its folder does not answer
    write(painted);
    awaitWritten(session, history);
  }
  forgetDeleted(session, history);
  for (const ErrorReport& error : session.notices.errors)
    if (error.source == "brush") std::fprintf(stderr, "satdof: %s\n", printable(error.text).c_str());
}

}  // namespace satdof
