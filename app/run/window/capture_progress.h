#pragma once
#include <optional>
#include <string>
#include <utility>

#include "app/gl/objects.h"
#include "app/run/glfw_window.h"
#include "app/ui/image_mouse.h"
#include "app/ui/ui.h"

namespace satdof {

// Shows how far a slow capture is, over the last image of the window, and takes the wish to cancel it.
class CaptureProgress {
 public:
  CaptureProgress(GlfwWindow& window, Ui& ui, Session& session, ImageMouse& mouse)
      : window_(window), ui_(ui), session_(session), mouse_(mouse) {}

  // Keeps the back buffer, which holds the image with its panels: the progress is shown over it.
  void keep();
  enum class Of { drawing, longWork };  // longWork: nothing is shown before gl::LongWork
  // After keep(). `expectedS`: of the drawing; 0: unknown.
  void begin(const std::string& file, float expectedS, Of of = Of::drawing);
  // Puts the image back, once after begin().
  void end();

  // Calls end() and says it over the image, before the next one is drawn.
  void say(const std::string& notice);

  // CaptureOptions::progressed.
  void drawn(float part, float next);
  // Call often while the capture is drawn. From some tenths of a second on, shows the progress and takes the input.
  // Returns whether the user has cancelled.
  bool cancels();
  bool cancelled() const { return cancelled_; }
  // Whether it has been shown since begin(): other panels must be laid out again.
  bool shown() const { return shown_; }
  // Whether it has been laid out since the last call.
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
  float expectedS_ = 0.0f, drawn_ = 0.0f, next_ = 1.0f;
  double lastS_ = 0.0;
  Of of_ = Of::drawing;
  bool cancelled_ = false, shown_ = false, laidOut_ = false;
  gl::Texture backdrop_;
  gl::Framebuffer framebuffer_;
};

class ShowsProgress {
 public:
  // CaptureProgress::begin() to end().
  ShowsProgress(CaptureProgress& progress, const std::string& file, float expectedS,
                CaptureProgress::Of of = CaptureProgress::Of::drawing)
      : progress_(progress) {
    progress_.begin(file, expectedS, of);
  }
  ~ShowsProgress() { progress_.end(); }
  ShowsProgress(const ShowsProgress&) = delete;
  ShowsProgress& operator=(const ShowsProgress&) = delete;

 private:
  CaptureProgress& progress_;
};

}  // namespace satdof
