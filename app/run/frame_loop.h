#pragma once
#include <filesystem>
#include <optional>

#include "app/core/settings.h"
#include "app/core/shot.h"
#include "app/gl/frame_stats.h"
#include "app/render/renderer.h"

namespace satdof {

// What a run draws.
struct FramePlan {
  int frames = 0;                   // 0: no end
  float framesPerSecond = 0;        // fixed time step of the animation; 0: the host's clock
  std::optional<Shot> shot{};       // frame n, from 0 on, is at n / rate seconds of it
  std::filesystem::path capture{};  // image of the last frame; empty: none
  int first = 0, end = 0;           // draws the frames [first, end) of the `frames`; end 0: all of them
};

// Returns the animation time of a frame, from 0 on, of a plan with a rate. `start`: settings of its first frame.
float animationTimeS(const FramePlan& plan, const Settings& start, long frame);

inline constexpr float kDefaultFramesPerSecond = 60;  // of a shot and of headless runs

// Numbered images of consecutive frames.
struct ImageSequence {
  std::filesystem::path path;  // numberedNames() of this; empty: none
  int firstNumber = 0;         // of the files, which replace others; 0: free numbers
  bool video = false;          // FrameHost::append() gets every frame
  int frames = 1;
  float framesPerSecond = 60;  // time step, unless the plan has one
  int written = 0;
};

// Where FrameLoop draws: a window or a headless context.
class FrameHost {
 public:
  virtual ~FrameHost() = default;
  // Seconds of a clock that never runs backwards.
  virtual double nowS() const = 0;
  // Called before each draw. May change the settings of the loop.
  virtual void update() {}
  // Whether the image differs from the last one drawn. Asked after update(), in a run without an end.
  virtual bool imageChanged() { return true; }
  // Whether the host can take the next image of a sequence. While it cannot, time stands and the last image is shown.
  virtual bool ready() { return true; }
  // Shows the last image again, with what update() changed on top of it.
  virtual void repaint() {}
  // Renders and presents one frame.
  virtual FrameResult draw(const Settings& settings, float timeS, Timings& timings) = 0;
  // Called after each draw. Shows the frame, limits the frames in flight, checks for errors.
  virtual void endDraw() {}
  // Writes the image drawn last; if `numbered`, with the first free name of numberedNames(). Returns false after reporting a
  // failure: the sequence then ends.
  virtual bool write(const std::filesystem::path& path, bool numbered) = 0;
  // Adds the image drawn last to the video of the sequence. Returns false like write().
  virtual bool append() { return true; }
};

// Draws the frames of a plan: animation time, shot, warm-up, statistics, sequence, last capture.
// A frame takes one draw, with three exceptions: a frame of a sequence, the captured last frame and, with
// autofocus, the first frame of a plan with an end are drawn again, at the same time, until focus and
// refinement have settled.
class FrameLoop {
 public:
  static constexpr int kMaxWarmUpFrames = 10;         // at most half of the frames
  static constexpr int kMaxFocusDraws = 600;          // draws that wait for the focus
  static constexpr double kLongestStepS = 0.25;       // of the animation, after a pause of the host
  static constexpr double kAnimationPeriodS = 86400;  // keeps float times precise in a run without end

  // Reads and writes `settings` in step() only. The animation starts at settings.scene.timeS.
  FrameLoop(const FramePlan& plan, Settings& settings);

  // Draws once, or repaints if the host's image has not changed: then no frame is counted. Forwards what the host
  // throws.
  void step(FrameHost& host);
  // Whether all frames of the plan are drawn and captured.
  bool done() const { return plan_.frames > 0 && frame_ == plan_.end; }
  // Call when the host draws nothing for a while: the gap counts as no frame's time.
  void pause() { timings_.pause(); }

  // Writes the images of the next frames, from the current one on.
  void startSequence(const ImageSequence& sequence) { sequence_ = sequence; }
  void stopSequence() { sequence_.reset(); }
  // Counts the next image as written; the last one ends the sequence.
  void countImage() {
    if (++sequence_->written == sequence_->frames) sequence_.reset();
  }
  const std::optional<ImageSequence>& sequence() const { return sequence_; }

  // Whether the current frame is written to a file: its image may depend on no earlier frame.
  bool writesFrame() const {
    return sequence_ || (plan_.frames > 0 && !plan_.capture.empty() && frame_ + 1 == plan_.end);
  }

  // To draw; 0: no end.
  int frames() const { return plan_.end - plan_.first; }
  long framesDone() const { return frame_ - plan_.first; }
  int warmUpFrames() const { return warmUpFrames_; }
  // Whether the last draw left an image to refine before the frame is done.
  bool refining() const { return refining_; }
  // Animation time of the current frame.
  float timeS() const { return static_cast<float>(timeS_); }
  void setTime(double timeS) {
    timeS_ = timeS;
    framesPerSecond_ = 0;
  }
  // Seconds between the last two draws, at most kLongestStepS; 0 in the first.
  double elapsedS() const { return elapsedS_; }
  // Of the last draw.
  const FrameResult& result() const { return result_; }
  Timings& timings() { return timings_; }
  // Times of the frames after the warm-up, without the additional draws of the capture. Valid once done().
  const FrameStats& stats() const { return *stats_; }

 private:
  void measureTime(double nowS);
  void advance();
  void playShot();
  void drawOnce(FrameHost& host);
  // Whether the frame is finished: every image that needs a settled frame is written.
  bool finishFrame(FrameHost& host);
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
  float baseS_ = 0;            // time before the first of `steps_` fixed steps
  float framesPerSecond_ = 0;  // of these steps
  long steps_ = 0;
};

}  // namespace satdof
