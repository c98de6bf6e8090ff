#include "app/run/window/depth/depth_corrector.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <exception>
#include <string_view>
#include <utility>
#include <vector>

#include "app/core/files/cache.h"
#include "app/core/files/file_names.h"
#include "app/core/files/file_timeout.h"
#include "app/core/files/files.h"
#include "app/core/text/foreign_text.h"
#include "app/io/codec.h"
#include "app/io/depth_image.h"
#include "app/io/formats/exr.h"
#include "app/io/layer_file.h"
#include "app/run/dropped.h"
#include "app/run/inputs.h"
#include "app/run/window/files/recent_images.h"
#include "app/scene/image/image.h"
#include "app/scene/scene_files.h"

namespace satdof {

namespace {

namespace fs = std::filesystem;

constexpr double kLateS = 2.0;  // a longer write is reported
constexpr std::chrono::seconds kLongestEnd(10);
constexpr double kAgainS = 5.0;         // from a failure to the next attempt
constexpr std::size_t kMaxLeft = 2;     // each keeps up to DepthCorrection::kMaxBytes for undo, and for redo
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

std::string hashOf(const std::vector<float>& depth) {
  return hashed({reinterpret_cast<const char*>(depth.data()), depth.size() * sizeof(float)});
}

// Whether two images of one file have the same depth.
bool haveSameDepth(const ImageSettings& a, const ImageSettings& b) {
  return a.depth == b.depth && a == withReading(a, b);
}

// Whether an image is of the file of `painted` and has its depth, or `original`, the depth before the first stroke.
bool isOf(const ImageSettings& image, const ImageSettings& painted, const std::optional<ImageSettings>& original) {
  return image.file == painted.file && (haveSameDepth(image, painted) || (original && haveSameDepth(image, *original)));
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

bool DepthCorrector::undoOrRedo(const Settings& shown, const History& history, bool back) {
  if (undoOf_ != shown.scene.image.file) undo_ = 0;
  if ((back ? undo_ : -undo_) >= countOf(shown, history, back)) return false;
  undo_ += back ? 1 : -1;
  undoOf_ = shown.scene.image.file;
  return true;
}

const std::deque<DepthCorrection::Stroke>* DepthCorrector::strokesOf(const Settings& shown, bool back) const {
  if (!showsPhoto(shown)) return nullptr;
  const ImageSettings& image = shown.scene.image;
  const DepthCorrection::Strokes* strokes = nullptr;
  if (now_.correction && !seeksLeft_ && isOf(image, now_.image, now_.original))
    strokes = &now_.correction->strokes();
  else if (const auto left =
               std::ranges::find_if(left_, [&](const Left& each) { return isOf(image, each.image, each.original); });
           left != left_.end())
    strokes = &left->strokes;
  return strokes == nullptr ? nullptr : back ? &strokes->done : &strokes->undone;
}

int DepthCorrector::countOf(const Settings& shown, const History& history, bool back) const {
  const auto* const strokes = strokesOf(shown, back);
  if (strokes == nullptr) return 0;
  const auto isOther = [&](const DepthCorrection::Stroke& stroke) { return stroke.step != history.step(); };
  return static_cast<int>(std::find_if(strokes->rbegin(), strokes->rend(), isOther) - strokes->rbegin());
}

void DepthCorrector::serve(Session& session, Opening& opening, History& history, double nowS) {
  if (std::exchange(lastStep_, history.lastStep()) != history.lastStep()) {
    if (now_.correction) now_.correction->forgetRedo();
    for (Left& left : left_) left.strokes.undone.clear();
  }
  if (!opening.loading()) forgetDeleted(session, history);
  session.attempt("brush", [&] {
    if (!opening.loading())  // takeWritten() edits settings that an opened file would replace
      if (const auto written = inquiry_.take()) takeWritten(session, &opening, history, **written, nowS);
    if (isLate()) {
      lateTold_ = true;
      session.report("brush", pendingWriteText(job_->file));
    }
    follow(session, history);
    if (!opening.loading()) paint(session, history, nowS);
    if (job_ || (resets_ && opening.loading())) return;
    if (resets_ && !unwritten_)
      resetNow(session);
    else if (unwritten_ && !now_.correction->isInStroke() && (isDue(nowS) || resets_))
      write(now_);
    else if (isDueAgain(nowS))
      write(waiting_.front());
  });
}

void DepthCorrector::leave(History& history) {
  if (now_.correction && (now_.correction->undoable() > 0 || now_.correction->redoable() > 0)) {
    std::erase_if(left_, [&](const Left& other) { return isOf(now_.image, other.image, other.original); });
    left_.push_back({now_.image, hashOf(now_.correction->depth()->map.depth), now_.correction->strokes(), now_.original,
                     now_.since});
  }
  if (left_.size() > kMaxLeft) endUndo(left_.begin(), history);
  if (std::exchange(unwritten_, false)) {
    waiting_.insert(waiting_.begin(), now_);
    againS_ = 0.0;
  }
  now_ = {};
}

void DepthCorrector::takeLeft(History& history) {
  if (!seeksLeft_ || isUnwritten()) return;
  seeksLeft_ = false;
  const auto left =
      std::ranges::find_if(left_, [&](const Left& other) { return isOf(now_.image, other.image, other.original); });
  if (left == left_.end()) return;
  if (left->depth != hashOf(now_.correction->depth()->map.depth)) {
    endUndo(left, history);
    return;
  }
  now_.correction->setStrokes(std::move(left->strokes));
  if (!now_.original) now_.original = left->original;
  now_.since = left->since;
  left_.erase(left);
}

std::vector<DepthCorrector::Left>::iterator DepthCorrector::endUndo(std::vector<Left>::iterator left,
                                                                    History& history) {
  if (left->original && isCorrection(left->image)) history.amendCorrection(*left->original, left->image, 0);
  return left_.erase(left);
}

void DepthCorrector::endUndo(History& history) const {
  const auto amend = [&](const ImageSettings& image, const std::optional<ImageSettings>& original) {
    if (original && isCorrection(image)) history.amendCorrection(*original, image, 0);
  };
  for (const Left& left : left_) amend(left.image, left.original);
  if (now_.correction) amend(now_.image, now_.original);
}

void DepthCorrector::follow(Session& session, History& history) {
  const bool photo = showsPhoto(session.settings);
  const ImageSettings& image = session.settings.scene.image;
  if (!photo || shownFile(session.settings) != now_.image.file) leave(history);
  auto shown = photo ? correctionOf(image) : nullptr;
  const bool damaged = shown && !shown->depth()->damage.empty();
  if (damaged && told_.lock() != shown->depth()) {
    told_ = shown->depth();
    tellsDamage_ = true;
    session.report("brush", shown->depth()->damage);
  }
  const bool isOther = !damaged && (shown || !photo);
  if (isOther && std::exchange(tellsDamage_, false) && failure_.empty()) session.forget("brush");
  const auto hasStrokes = [&](const Left& left) { return isOf(image, left.image, left.original); };
  if (!shown || !(session.brush.kind || now_.correction || std::ranges::any_of(left_, hasStrokes))) return;
  if (!now_.correction || now_.correction->depth() != shown->depth()) {
    leave(history);
    now_ = {std::move(shown), image, isCorrection(image) ? std::nullopt : std::optional(image)};
    seeksLeft_ = true;
  }
  takeLeft(history);
}

bool DepthCorrector::mayChange(Session& session) {
  if (!now_.claim) whyNot_ = session.inputFrames > 0 ? "it is a frame of a film" : claim();
  if (whyNot_.empty()) return true;
  session.report("brush", "cannot keep a corrected depth in \"" + now_.file().string() + "\": " + whyNot_);
  return false;
}

void DepthCorrector::paint(Session& session, History& history, double nowS) {
  DepthTool& brush = session.brush;
  const auto places = std::exchange(brush.places, {});
  const bool begins = std::exchange(brush.begins, false), ends = std::exchange(brush.ends, false);
  const auto count = [&] {
    brush.undoable = countOf(session.settings, history, true);
    brush.redoable = countOf(session.settings, history, false);
    brush.painted = now_.correction && (now_.correction->undoable() > 0 || now_.correction->strokes().hasFinal);
  };
  if (!now_.correction) return count();
  const EditableDepth& depth = *now_.correction->depth();
  const int before = depth.edits;
  const glm::vec2 size(depth.map.size);
  if (!places.empty() && begins && brush.kind && mayChange(session)) {
    if (session.settings.scene.image.parallax > 0.0f && session.moves()) {
      session.say("Depth brush: pause the animation first");
    } else {
      session.forget("brush");
      const long step = history.beginStroke();
      if (now_.correction->undone()) now_.since = step;
      for (Left& left : left_) left.strokes.undone.clear();
      now_.correction->begin({.kind = *brush.kind,
                              .at = places.front() * size,
                              .radiusPx = brush.radius * size.x,
                              .strength = brush.strength,
                              .edge = brush.edge},
                             step);
    }
  }
  for (const glm::vec2 place : places) now_.correction->moveTo(place * size);
  if (ends) now_.correction->end();
  if (!seeksLeft_ && isOf(session.settings.scene.image, now_.image, now_.original)) undoStrokes(session);
  count();
  brush.edits = depth.edits + depth.hiddenEdits;
  if (depth.edits == before) return;
  if (!std::exchange(unwritten_, true)) firstS_ = nowS;
  strokeS_ = nowS;
}

void DepthCorrector::undoStrokes(Session& session) {
  int strokes = std::exchange(undo_, 0);
  if (undoOf_ != now_.image.file || strokes == 0) return;
  if (!mayChange(session)) return now_.correction->setStrokes({.hasFinal = true});
  for (; strokes > 0 && now_.correction->undo(); --strokes) session.say("Undo: stroke of the brush");
  for (; strokes < 0 && now_.correction->redo(); ++strokes) session.say("Redo: stroke of the brush");
}

void DepthCorrector::write(Painted painted) {
  const auto isSame = [&](const Painted& other) { return other.correction == painted.correction; };
  if (isSame(now_)) unwritten_ = false;
  const bool again = std::erase_if(waiting_, isSame) > 0;
  fs::path file = painted.file();
  const auto writesS = std::make_shared<std::atomic<double>>(0.0);
  const bool deletes = painted.isUndone();
  const EditableDepth& edited = *painted.correction->depth();
  const auto make = [picture = painted.correction->picture(), map = edited.map, state = edited.state, file, writesS,
                     again, deletes, photo = fs::path(painted.image.file.text), photoState = edited.photoState,
                     content = edited.content, paintedOn = edited.paintedOn, isOfAnother = edited.isOfAnother(),
                     isAsRead = painted.correction->undone()] {
    auto written = std::make_shared<Written>();
    written->content = content;
    written->paintedOn = paintedOn;
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
      if (content.empty() && fileState(photo) == photoState) written->content = contentOf(photo);
      const std::string& paintedNow = isAsRead ? paintedOn : written->content;
      std::vector<ImageText> texts{{kCorrectedKeyword, "by a brush"}};
      if (!paintedNow.empty()) texts.push_back({kPaintedOnKeyword, paintedNow});
      const std::string bytes = codecByExtension(file)->layer(Layer::depth, layer, texts);
      const auto writeCopy = [&](std::string_view contents) {
        return writeNewFile(folderOf(file), contents, [&, copy = 1]() mutable { return copyPath(file, ++copy); });
      };
      *writesS = steadyS();
      written->file = file;
      if (isReplaced(file, state)) {
        written->file = writeCopy(bytes);
        written->paintedOn = paintedNow;
      } else {
        if (isOfAnother && !isAsRead && isRegularFile(file))
          written->kept = writeCopy(readWholeFile(file, FileLimits().bytes));
        written->paintedOn = paintedNow;
        writeWholeFile(file, bytes);
      }
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
  std::erase_if(left_, [&](const Left& other) { return other.image.file == shown.file; });
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
  session.brush.painted = false;
  session.forget("brush");
  session.settings.scene.image = withoutLevels(image);
  session.action = "Reset depth";
  session.say("Depth: without levels and strokes");
}

void DepthCorrector::forgetFailure(Session& session) {
  if (!std::exchange(failure_, {}).empty()) session.forget("brush");
}

void DepthCorrector::takeWritten(Session& session, Opening* opening, History& history, const Written& written,
                                 double nowS) {
  const auto [painted, asked, deletes, writesS] = *std::exchange(job_, std::nullopt);
  if (std::exchange(lateTold_, false)) session.forget("brush");
  EditableDepth& depth = *painted.correction->depth();
  if (!written.hidden.rgba.empty()) {
    depth.hidden = written.hidden;
    depth.map.counts = written.counts;
    ++depth.hiddenEdits;
    session.brush.edits = depth.edits + depth.hiddenEdits;
  }
  depth.content = written.content;
  depth.paintedOn = written.paintedOn;
  if (!written.kept.empty())
    session.say("Depth of another image of this name kept as " + pathText(written.kept.filename()));
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
  // Not if it shows another reading of the depth, before or after the strokes.
  const bool shows = showsPhoto(session.settings) && isOf(image, painted.image, painted.original);
  ImageSettings named = withCorrectedDepth(shows ? image : painted.image, file);
  if (deletes) {
    ImageSettings without = withReading(named, *painted.original);
    without.depth = painted.original->depth;
    history.amendDepth(named, without);
    named = without;
  } else {
    history.amendCorrection(painted.image, named, painted.correction->strokes().hasFinal ? 0 : painted.since);
  }
  for (Left& left : left_)
    if (isOf(painted.image, left.image, left.original)) left.image = named;
  // Strokes whose file is replaced, as levels were edited after them, are final.
  const auto isReplacedBy = [&named, writes = !deletes, since = painted.since](const Left& left) {
    return writes && left.image.depth == named.depth && left.since < since;
  };
  for (auto left = left_.begin(); (left = std::find_if(left, left_.end(), isReplacedBy)) != left_.end();)
    left = endUndo(left, history);
  for (Painted& other : waiting_)
    if (other.correction == painted.correction) other.image = named;
  if (goesOn) now_.image = named;
  if (!shows || image == named) return;
  if (goesOn) {
    const auto name = deletes ? nameOriginal : nameCorrection;
    if (auto kept = name(*painted.correction, image, named)) named_ = std::move(kept);
  }
  image = named;
  if (opening != nullptr) opening->markRead(image);
  if (deletes) return session.say("Depth: without strokes");
  session.saySaved(file, "Depth kept as " + file.filename().string());
}

void DepthCorrector::awaitWritten(Session& session, History& history) {
  if (const auto written = inquiry_.take(kLongestEnd))
    takeWritten(session, nullptr, history, **written, 0.0);
  else if (job_)
    session.report("brush", failureText("write", job_->file, "its folder does not answer"));
}

void DepthCorrector::finish(Session& session, History& history) {
  forgetFailure(session);
  awaitWritten(session, history);
  leave(history);
  for (const Painted& painted : std::vector(waiting_)) {
    if (job_) break;  // its folder does not answer
    write(painted);
    awaitWritten(session, history);
  }
  endUndo(history);
  left_.clear();
  forgetDeleted(session, history);
  for (const ErrorReport& error : session.notices.errors)
    if (error.source == "brush") std::fprintf(stderr, "satdof: %s\n", printable(error.text).c_str());
}

}  // namespace satdof
