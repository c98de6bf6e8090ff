#pragma once
#include <optional>
#include <string>
#include <utility>

#include "app/gl/objects.h"
#include "app/run/window/glfw_window.h"
#include "app/ui/image/image_mouse.h"
#include "app/ui/ui.h"

namespace satdof {

// Shows the progress of a slow capture over the last image of the window, and lets the user cancel it.
class CaptureProgress {
 public:
  CaptureProgress(GlfwWindow& window, Ui& ui, Session& session, ImageMouse& mouse)
      : window_(window), ui_(ui), session_(session), mouse_(mouse) {}

  // Copies the back buffer, the image with its panels: the progress is drawn over the copy.
  void keep();
  enum class Work { drawing, longWork };  // longWork: the progress is shown only during LongWork
  // Call after keep(). `file`: name for the text. `expectedS`: seconds that drawing takes; 0: unknown.
  void begin(const std::string& file, float expectedS, Work work = Work::drawing);
  // Restores the image. Does nothing if begin() was not called.
  void end();

  // Calls end() and shows the notice at once, over the restored image.
  void say(const std::string& notice);

  // Takes the progress, see CaptureOptions::progressed. Throws FrameAbandoned if the user has cancelled.
  void drawn(float part, float next);
  // Call often while the capture is drawn. After some tenths of a second, shows the progress and takes the input.
  // Returns whether the user has cancelled.
  bool cancels();
  bool cancelled() const { return cancelled_; }
  // Whether the progress was shown since begin(): the panels must be laid out again.
  bool shown() const { return shown_; }
  // Whether the progress or a notice was laid out since the last call.
  bool takeLaidOut() { return std::exchange(laidOut_, false); }

 private:
  float part() const;
  std::string text() const;
  void show();

  GlfwWindow& window_;
  Ui& ui_;
  Session& session_;
  ImageMouse& mouse_;
  std::optional<double> beganS_;
  std::string file_;
  float expectedS_ = 0.0f;
  float drawn_ = 0.0f, next_ = 1.0f;  // see drawn()
  double lastS_ = 0.0;                // time of the last show()
  Work work_ = Work::drawing;
  bool cancelled_ = false, shown_ = false, laidOut_ = false;
  gl::Texture backdrop_;
  gl::Framebuffer framebuffer_;
};

// Shows the progress during the life of the object: calls CaptureProgress::begin() and end().
class ScopedProgress {
 public:
  ScopedProgress(CaptureProgress& progress, const std::string& file, float expectedS,
                 CaptureProgress::Work work = CaptureProgress::Work::drawing)
      : progress_(progress) {
    progress_.begin(file, expectedS, work);
  }
  ~ScopedProgress() { progress_.end(); }
  ScopedProgress(const ScopedProgress&) = delete;
  ScopedProgress& operator=(const ScopedProgress&) = delete;

 private:
  CaptureProgress& progress_;
};

}  // namespace satdof
