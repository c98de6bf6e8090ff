#pragma once
#include <atomic>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/core/files/files.h"
#include "app/core/system/inquiry.h"
#include "app/run/window/files/opening.h"
#include "app/scene/image/depth_correction.h"
#include "app/ui/history.h"
#include "app/ui/session.h"

namespace satdof {

// Applies brush strokes to the depth of the photograph that is shown. A thread writes the result to
// correctedDepthOf() the photograph soon after a stroke, and again every few seconds if that fails. Never replaces a
// file that is not the depth that is shown. Once all strokes are undone, deletes the file and shows the depth before
// them. Strokes and the edits of History are undone in the order in which they were made, also those on the last
// photographs that were left; other strokes are final.
class DepthCorrector {
 public:
  // Call between Opening::beginEdits() and endEdits(). `nowS`: of a clock. Reports failures in the session.
  void serve(Session& session, Opening& opening, History& history, double nowS);
  // Whether undo (`back`) or redo takes a stroke on the shown photograph, which is newer than the last edit; a later
  // serve() does, once the photograph is read. Else an edit is to be undone.
  bool undoOrRedo(const Settings& shown, const History& history, bool back);
  // Gives the photograph the depth without levels and strokes, once waiting strokes are written, and deletes the
  // corrected depth, also from the history.
  void reset() { resets_ = true; }
  // Whether a depth is being written or must be.
  bool busy() const { return job_ || unwritten_ || resets_ || !waiting_.empty(); }
  // Whether serve() has something to do.
  bool hasNews(double nowS) const;
  // Makes all strokes final in a history that the next window continues.
  void endUndo(History& history) const;
  // Call when the window closes. Writes what still waits. Reports failures on stderr.
  void finish(Session& session, History& history);

 private:
  // The result of writing a depth.
  struct Written {
    HiddenLayer hidden;  // of the depth, computed before it was written
    std::vector<std::uint32_t> counts;
    std::filesystem::path file;
    std::string state;               // fileState() of the file; empty: it is deleted
    std::string content, paintedOn;  // see EditableDepth
    std::filesystem::path kept;      // copy of the file before, which was painted on another photograph; empty: none
    std::string failure;             // empty: it is written
  };
  // A correction of the depth of `image`.
  struct Painted {
    std::shared_ptr<DepthCorrection> correction;
    ImageSettings image;
    std::optional<ImageSettings> original;  // the image before the first stroke, unless its depth is a correction
    long since = 0;                         // History::step() of the first stroke
    std::shared_ptr<NameClaim> claim{};     // on the file, from the first stroke on
    // The file to write.
    std::filesystem::path file() const;
    // Whether the file has no strokes to keep.
    bool isUndone() const { return original && correction->undone(); }
  };
  // An image whose corrected depth was deleted, and the image without it.
  struct Deleted {
    ImageSettings image, without;
  };
  struct Job {
    Painted painted;
    std::filesystem::path file;
    bool deletes;                                  // instead of writing
    std::shared_ptr<std::atomic<double>> writesS;  // steadyS() when writing began; 0: not yet
  };

  // Strokes on a photograph that was left, for undo and redo when it is shown again.
  struct Left {
    ImageSettings image;  // with the corrected depth, once it was written
    std::string depth;    // hashed() depths
    DepthCorrection::Strokes strokes;
    std::optional<ImageSettings> original;  // see Painted
    long since;
  };

  // Whether the strokes since the last write must be written; whether one in waiting_ must.
  bool isDue(double nowS) const;
  bool isDueAgain(double nowS) const { return !waiting_.empty() && nowS > againS_; }
  // Claims the file before the first stroke. Returns why it may not be replaced; empty if it may.
  std::string claim();
  // Whether strokes on the photograph of now_ that were made before it was shown are not written yet.
  bool isUnwritten() const;
  // Whether now_ may change; claims it before the first change, and reports why it may not.
  bool mayChange(Session& session);
  // Ends the correction of now_: its strokes join left_, and waiting_ if they are not written.
  void leave(History& history);
  // Gives now_ its strokes of left_.
  void takeLeft(History& history);
  // Strokes of left_ become final: no undo shows the depth before them. Returns the next ones.
  std::vector<Left>::iterator endUndo(std::vector<Left>::iterator left, History& history);
  // Follows which photograph is shown.
  void follow(Session& session, History& history);
  // The strokes that undo (`back`) or redo takes, last first; null without a photograph that has some.
  const std::deque<DepthCorrection::Stroke>* strokesOf(const Settings& shown, bool back) const;
  // How many of them are newer than the last edit.
  int countOf(const Settings& shown, const History& history, bool back) const;
  // Makes the strokes of the frame.
  void paint(Session& session, History& history, double nowS);
  // Undoes and redoes strokes of now_.
  void undoStrokes(Session& session);
  // Begins to write on another thread.
  void write(Painted painted);
  void resetNow(Session& session);
  // Forgets a depth that resetNow() deleted in the history, unless it is still shown.
  void forgetDeleted(const Session& session, History& history);
  void forgetFailure(Session& session);
  // `opening`: null when the window closes.
  void takeWritten(Session& session, Opening* opening, History& history, const Written& written, double nowS);
  // Waits some seconds until the depth is written.
  void awaitWritten(Session& session, History& history);
  // Whether writing takes long, which has not been reported yet.
  bool isLate() const;

  Painted now_;             // the correction that strokes change
  std::string whyNot_;      // why now_ cannot be kept; empty: it can
  std::vector<Left> left_;  // newest last
  bool seeksLeft_ = false;  // left_ may hold strokes of now_
  bool unwritten_ = false;
  double firstS_ = 0.0;   // time of the first stroke that is not written
  double strokeS_ = 0.0;  // time of the last stroke
  int undo_ = 0;          // strokes to undo; below 0: to redo
  FilePath undoOf_;       // their photograph
  long lastStep_ = 0;     // History::lastStep() of the last serve()
  bool resets_ = false;
  std::optional<Deleted> deleted_;  // until another depth is shown
  std::vector<Painted> waiting_;    // corrections of other depths, or whose writing failed
  double againS_ = 0.0;             // time of the next attempt to write them
  std::string failure_;             // last failure that was reported
  std::optional<Job> job_;
  Inquiry<std::shared_ptr<Written>> inquiry_;  // result of job_
  bool lateTold_ = false;
  std::weak_ptr<const EditableDepth> told_;  // depth whose damage was reported
  bool tellsDamage_ = false;                 // the report is of a depth that is still shown
  std::shared_ptr<const void> named_;        // result of nameCorrection()
};

}  // namespace satdof
