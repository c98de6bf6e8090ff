#pragma once
#include <atomic>
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
// them.
class DepthCorrector {
 public:
  // Call between Opening::beginEdits() and endEdits(). `nowS`: of a clock. Reports failures in the session.
  void serve(Session& session, Opening& opening, History& history, double nowS);
  // The next serve() undoes (`back`) or redoes a stroke.
  void undoOrRedo(bool back) { (back ? undo_ : redo_) = true; }
  // Gives the photograph the depth without levels and strokes, once waiting strokes are written, and deletes the
  // corrected depth, also from the history.
  void reset() { resets_ = true; }
  // Whether a depth is being written or must be.
  bool busy() const { return job_ || unwritten_ || resets_ || !waiting_.empty(); }
  // Whether serve() has something to do.
  bool hasNews(double nowS) const;
  // Call when the window closes. Writes what still waits. Reports failures on stderr.
  void finish(Session& session, History& history);

 private:
  // The result of writing a depth.
  struct Written {
    HiddenLayer hidden;  // of the depth, computed before it was written
    std::vector<std::uint32_t> counts;
    std::filesystem::path file;
    std::string state;    // fileState() of the file; empty: it is deleted
    std::string failure;  // empty: it is written
  };
  // A correction of the depth of `image`.
  struct Painted {
    std::shared_ptr<DepthCorrection> correction;
    ImageSettings image;
    std::optional<ImageSettings> original;  // the image before the first stroke, unless its depth is a correction
    std::shared_ptr<NameClaim> claim;       // on the file, from the first stroke on
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

  // Strokes on a photograph that was left while some were undone, so that redo goes on when it is shown again.
  struct Undone {
    FilePath photograph;
    std::size_t depth;  // hash of the depths
    DepthCorrection::Strokes strokes;
    std::optional<ImageSettings> original;  // see Painted
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
  // Ends the correction of now_: its strokes join waiting_, and undone_ if some are undone.
  void leave(Session& session);
  // Gives now_ the strokes that were undone when the photograph was left.
  void takeUndone();
  void forgetUndone(const FilePath& photograph);
  // Follows which photograph is shown.
  void follow(Session& session);
  // Makes the strokes of the frame.
  void paint(Session& session, double nowS);
  // Begins to write on another thread.
  void write(Painted painted);
  void resetNow(Session& session);
  // Forgets a deleted depth in the history, unless it is still shown.
  void forgetDeleted(const Session& session, History& history);
  void forgetFailure(Session& session);
  void takeWritten(Session& session, History& history, const Written& written, double nowS);
  // Waits some seconds until the depth is written.
  void awaitWritten(Session& session, History& history);
  // Whether writing takes long, which has not been reported yet.
  bool isLate() const;

  Painted now_;                 // the correction that strokes change
  std::string whyNot_;          // why now_ cannot be kept; empty: it can
  std::vector<Undone> undone_;  // newest last
  bool seeksUndone_ = false;    // takeUndone() has not looked for those of now_ yet
  bool unwritten_ = false;
  double firstS_ = 0.0;   // time of the first stroke that is not written
  double strokeS_ = 0.0;  // time of the last stroke
  bool undo_ = false, redo_ = false, resets_ = false;
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
