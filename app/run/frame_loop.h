#pragma once
#include <filesystem>
#include <optional>

#include "app/core/settings.h"
#include "app/core/shot/shot.h"
#include "app/gl/frame_stats.h"
#include "app/render/renderer.h"

namespace satdof {

// What a run draws.
struct FramePlan {
  int frames = 0;                   // 0: no end
  float framesPerSecond = 0;        // 1 / time step of the animation; 0: time of the host's clock
  std::optional<Shot> shot{};       // frame n, from 0 on, is at n / framesPerSecond seconds
  std::filesystem::path capture{};  // file of the last frame; empty: none
  int first = 0, end = 0;           // draws frames [first, end) of `frames`; end 0: up to the last
};

// The animation time of a frame, from 0 on, of a plan with framesPerSecond. `start`: settings of the first frame.
float animationTimeS(const FramePlan& plan, const Settings& start, long frame);

inline constexpr float kDefaultFramesPerSecond = 60;  // for shots and headless runs

// A recording: numbered images or a video of consecutive frames.
struct ImageSequence {
  std::filesystem::path path;  // the images are numberedNames() of this; empty: none
  int firstNumber = 0;         // number of the first file; replaces existing files; 0: free numbers
  bool video = false;          // FrameHost::append() gets every frame
  int frames = 1;
  float framesPerSecond = 60;  // unless the plan has one
  int written = 0;             // frames so far
};

// What FrameLoop drives: a window or a headless run.
class FrameHost {
 public:
  virtual ~FrameHost() = default;
  // Seconds of a monotonic clock.
  virtual double nowS() const = 0;
  // Called before each draw. May change the settings of the loop.
  virtual void update() {}
  // Whether the image differs from the last one drawn. Called after update() if the plan has no end.
  virtual bool imageChanged() { return true; }
  // Whether the host can take the next frame of a sequence. Until then, time stands still and the last image is shown.
  virtual bool ready() { return true; }
  // Shows the last image again, with panels that update() has changed.
  virtual void repaint() {}
  // Renders and presents one frame.
  virtual FrameResult draw(const Settings& settings, float timeS, Timings& timings) = 0;
  // Called after each draw() or repaint(). Shows the frame, limits the frames in flight, checks for errors.
  virtual void endDraw() {}
  // Writes the last image to `path` or, if `numbered`, to the first free name of numberedNames(path). Returns
  // false after reporting a failure, which ends the sequence.
  virtual bool write(const std::filesystem::path& path, bool numbered) = 0;
  // Adds the last image to the video of the sequence. Returns false like write().
  virtual bool append() { return true; }
};

// Draws the frames of a plan: advances time and shot, measures times, writes the sequence and the capture of the
// last frame. A frame takes one draw. Frames of a sequence, the captured last frame and, with autofocus, the first
// frame of a plan with an end are drawn again at the same time until focus and refinement have settled.
class FrameLoop {
 public:
  static constexpr int kMaxWarmUpFrames = 10;         // not measured; also at most half of the frames
  static constexpr int kMaxFocusDraws = 600;          // draws that wait for the focus
  static constexpr double kLongestStepS = 0.25;       // of the animation, after a pause of the host
  static constexpr double kAnimationPeriodS = 86400;  // time wraps, so that floats stay precise in a run without end

  // Reads and writes `settings` in step() only. The animation starts at settings.scene.timeS.
  FrameLoop(const FramePlan& plan, Settings& settings);

  // Draws once. In a plan without end, repaints instead if the host's image has not changed. Throws what the host
  // throws.
  void step(FrameHost& host);
  // Whether all frames of the plan are drawn and captured.
  bool done() const { return plan_.frames > 0 && frame_ == plan_.end; }
  // Call when the host draws nothing for a while, so that the gap counts as no frame's time.
  void pause() { timings_.pause(); }

  // Records the next frames, from the current one on.
  void startSequence(const ImageSequence& sequence) { sequence_ = sequence; }
  void stopSequence() { sequence_.reset(); }
  // Counts a frame of the sequence as written; the last one ends the sequence.
  void countImage() {
    if (++sequence_->written == sequence_->frames) sequence_.reset();
  }
  const std::optional<ImageSequence>& sequence() const { return sequence_; }

  // Whether the current frame is written to a file, so that its image must not depend on earlier frames.
  bool writesFrame() const {
    return sequence_ || (plan_.frames > 0 && !plan_.capture.empty() && frame_ + 1 == plan_.end);
  }

  // Number of frames to draw; 0: no end.
  int frames() const { return plan_.end - plan_.first; }
  long framesDone() const { return frame_ - plan_.first; }
  int warmUpFrames() const { return warmUpFrames_; }
  // Whether the frame needs further draws that refine its image.
  bool refining() const { return refining_; }
  // Animation time of the current frame.
  float timeS() const { return static_cast<float>(timeS_); }
  void setTime(double timeS) {
    timeS_ = timeS;
    framesPerSecond_ = 0;
  }
  // Seconds between the last two draws, at most kLongestStepS; 0 in the first.
  double elapsedS() const { return elapsedS_; }
  // Result of the last draw.
  const FrameResult& result() const { return result_; }
  Timings& timings() { return timings_; }
  // Times of the frames after the warm-up, without the draws that refine the capture. Valid once done().
  const FrameStats& stats() const { return *stats_; }

 private:
  void measureTime(double nowS);
  void advance();
  void playShot();
  void drawOnce(FrameHost& host);
  // Writes the frame's images, which must have settled(). Returns whether the frame is finished.
  bool finishFrame(FrameHost& host);
  // Whether focus and refinement have settled. The refinement begins, with the autofocus held, when the focus has
  // settled: a moving focus would restart it.
  bool settled();
  // Writes the frame for the sequence. Returns false if the host failed.
  bool record(FrameHost& host);

  FramePlan plan_;
  Settings& settings_;
  Timings timings_;
  const int warmUpFrames_;
  long frame_ = 0;
  bool again_ = false;     // the next draw repeats the frame
  bool refining_ = false;  // the focus has settled; the autofocus is held
  int focusDraws_ = 0;
  std::optional<ImageSequence> sequence_;
  std::optional<FrameStats> stats_;
  FrameResult result_;
  Settings drawn_;  // settings of the last draw

  std::optional<double> lastS_;
  double elapsedS_ = 0;
  double timeS_;
  float baseS_ = 0;            // time before the first of steps_ fixed steps
  float framesPerSecond_ = 0;  // 1 / fixed step
  long steps_ = 0;
};

}  // namespace satdof
