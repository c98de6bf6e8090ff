#pragma once
#include <filesystem>
#include <optional>
#include <vector>

#include "app/core/settings.h"
#include "app/core/shot/shot.h"
#include "app/gl/frame_stats.h"
#include "app/render/renderer.h"

namespace satdof {

// What a run draws.
struct FramePlan {
  int frames = 0;                   // 0: no end
  float framesPerSecond = 0;        // 1 / time step of the animation; 0: time of the clock
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
  bool video = false;          // every frame is added to a video
  int frames = 1;
  float framesPerSecond = 60;  // unless the plan has one
  int written = 0;             // frames so far
};

// A file that gets the image of a frame.
struct FrameFile {
  std::filesystem::path path;  // if `numbered`, the first free name of numberedNames(path); empty: the video
  bool numbered = false;
};

// The frames of a plan: time and shot, the times of stages, what is written. A frame takes one draw. Frames of a
// sequence, the captured last frame and, with autofocus, the first frame of a plan with an end are drawn again at the
// same time until focus and refinement have settled. The caller draws and writes:
//
//   loop.begin(now, ready);
//   ...                                       // may change the settings
//   if (!loop.draws(imageChanged)) return;    // the last image stays
//   loop.take(draw(loop.shown(), loop.timeS(), loop.timings()));
//   for (const FrameFile& file : loop.files())
//     if (!write(file)) loop.stopSequence();
//   loop.end();
class FrameLoop {
 public:
  static constexpr int kMaxWarmUpFrames = 10;         // not measured; also at most half of the frames
  static constexpr int kMaxFocusDraws = 600;          // draws that wait for the focus
  static constexpr double kLongestStepS = 0.25;       // of the animation, after a pause
  static constexpr double kAnimationPeriodS = 86400;  // time wraps, so that floats stay precise in a run without end

  // Reads and writes `settings` in its steps only. The animation starts at settings.scene.timeS.
  FrameLoop(const FramePlan& plan, Settings& settings);

  // Whether the next step begins a frame of the sequence.
  bool beginsRecordedFrame() const { return sequence_ && !again_; }
  // Begins a step at the time of a clock. `ready`: the next frame of the sequence can be written; until then, time
  // stands still.
  void begin(double nowS, bool ready);
  // Whether to draw: always if the plan has an end, else if the image differs from the last one.
  bool draws(bool imageChanged);
  // The settings to draw with.
  Settings shown() const;
  // Takes the result of the draw.
  void take(const FrameResult& result);
  // The files to write now: none before focus and refinement have settled.
  std::vector<FrameFile> files();
  // Ends the step.
  void end();
  // Whether all frames of the plan are drawn and captured.
  bool done() const { return plan_.frames > 0 && frame_ == plan_.end; }
  // Call when nothing is drawn for a while, so that the gap counts as no frame's time.
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
  void advance();
  // Whether focus and refinement have settled. The refinement begins, with the autofocus held, when the focus has
  // settled: a moving focus would restart it.
  bool settled();

  FramePlan plan_;
  Settings& settings_;
  Timings timings_;
  const int warmUpFrames_;
  long frame_ = 0;
  bool waits_ = false;     // for a frame of the sequence that can be written
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
