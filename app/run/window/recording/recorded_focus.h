#pragma once
#include "app/core/settings.h"
#include "app/run/film/film_focus.h"
#include "app/run/window/film_frames.h"
#include "app/run/window/recording/capture_progress.h"
#include "app/run/window/window_image.h"
#include "app/ui/session.h"

namespace satdof {

// The autofocus of recorded frames. The focus of a frame depends on its number alone, whichever frames a live view
// drew. Draws small images of all frames up to the one that is asked for, and shows the progress.
class RecordedFocus {
 public:
  // `framesPerSecond`: of the command line; 0: frameRate().
  RecordedFocus(Session& session, WindowImage& image, FilmFrames& film, CaptureProgress& progress,
                float framesPerSecond)
      : session_(session), image_(image), film_(film), progress_(progress), framesPerSecond_(framesPerSecond) {}

  // Call when nothing is recorded: the next recording starts in focus.
  void reset() { focus_ = {}; }
  // The focus in metres of the next frame of Session::sequence. `timeS`: animation time.
  float nextFrameM(float timeS);
  // The settings of a frame of the shot, from 0 on, with its focus.
  Settings shotFrame(long frame);
  // Replaces the focus tracks of the shot by keys where the autofocus would focus. The user may cancel.
  void setKeys();

 private:
  // The focus in metres of a frame of the shot, from 0 on. `always`: as if the autofocus were on in all frames.
  float shotFocusM(FilmFocus& focus, long frame, bool always);
  FilmFocus::Found measureShot(const FilmFocus& focus, long frame, bool always);
  // The settings of a frame of the shot. If `loads`, reads the image of a film.
  Settings unfocusedFrame(long frame, bool loads);

  Session& session_;
  WindowImage& image_;
  FilmFrames& film_;
  CaptureProgress& progress_;
  const float framesPerSecond_;
  FilmFocus focus_;  // of the frames recorded so far
};

}  // namespace satdof
