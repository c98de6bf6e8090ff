#pragma once
#include <atomic>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/core/files.h"
#include "app/run/window/opening.h"
#include "app/scene/image/depth_correction.h"
#include "app/scene/loading.h"
#include "app/ui/session.h"

namespace satdof {

// Paints on the depth of the photograph that is shown, and keeps what that makes in its correctedDepthOf(): soon after a stroke,
// in the background, and again every few seconds if that fails. Never replaces a file that is not the depth that is shown.
class DepthCorrector {
 public:
  // Call between Opening::begin() and end(), with a clock. Failures are errors of the session.
  void serve(Session& session, Opening& opening, double nowS);
  // The next serve() undoes (`back`) or redoes a stroke.
  void undoOrRedo(bool back) { (back ? undo_ : redo_) = true; }
  // The photograph gets the depth without levels and strokes once these are written; their file goes.
  void reset() { resets_ = true; }
  // Whether a depth is or must be written.
  bool busy() const { return job_ || unwritten_ || resets_ || !waiting_.empty(); }
  // Whether serve() has something to do.
  bool hasNews(double nowS) const;
  // Writes the corrections that still wait, when the window closes. Failures go to stderr.
  void finish(Session& session);

 private:
  // Of a depth: to be written, and to be shown with it.
  struct Written {
    HiddenLayer hidden;
    std::vector<std::uint32_t> counts;
    std::filesystem::path file;
    std::string state, failure;
  };
  // A correction of the depth of `image`.
  struct Painted {
    std::shared_ptr<DepthCorrection> correction;
    ImageSettings image;
    std::shared_ptr<NameClaim> claim;  // on its file, from the first stroke on
    std::filesystem::path file() const;
  };
  struct Job {
    Painted painted;
    std::filesystem::path file;
    std::shared_ptr<std::atomic<double>> writesS;  // steadyS() since which it is written; 0: it is computed
  };

  bool isDue(double nowS) const;
  bool isDueAgain(double nowS) const { return !waiting_.empty() && nowS > againS_; }
  // Claims the file before the first stroke. Returns why it may not be replaced; empty: it may.
  std::string claim();
  // Call when another depth is shown.
  void leave();
  void follow(Session& session);
  void paint(Session& session, double nowS);
  void write(Painted painted);
  void resetNow(Session& session);
  void forgetFailure(Session& session);
  void takeWritten(Session& session, const Written& written, double nowS);
  // Waits a while for what is being written.
  void awaitWritten(Session& session);
  // Whether the file is written for long, which nobody has been told.
  bool isLate() const;

  Painted now_;         // that strokes change
  std::string whyNot_;  // it cannot be kept
  bool unwritten_ = false;
  double firstS_ = 0.0, strokeS_ = 0.0;  // times of the first stroke that is not written, and of the last
  bool undo_ = false, redo_ = false, resets_ = false;
  std::vector<Painted> waiting_;  // of depths that are left, or whose writing failed
  double againS_ = 0.0;           // time of the next attempt
  std::string failure_;           // that the session has as an error
  std::optional<Job> job_;
  Inquiry<std::shared_ptr<Written>> inquiry_;  // job_
  bool lateTold_ = false;
  std::weak_ptr<const EditableDepth> told_;  // whose damage is reported
  std::shared_ptr<const void> named_;        // nameCorrection()
};

}  // namespace satdof
