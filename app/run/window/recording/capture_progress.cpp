#include "app/run/window/recording/capture_progress.h"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

#include "app/core/system/abandon.h"
#include "app/gl/gl.h"
#include "app/gl/software.h"

namespace satdof {

namespace {

constexpr double kDelayS = 0.4;  // before the progress is shown
constexpr double kPeriodS = 0.1;
constexpr float kExpected = 0.8f;  // part shown when the expected time is over
constexpr int kMaxEvents = 64;

void blit(GLuint from, GLuint to, glm::ivec2 size) {
  glBlitNamedFramebuffer(from, to, 0, 0, size.x, size.y, 0, 0, size.x, size.y, GL_COLOR_BUFFER_BIT, GL_NEAREST);
}

// Restores the OpenGL state that Dear ImGui changes.
class KeepsState {
 public:
  KeepsState() {
    glGetIntegerv(GL_CURRENT_PROGRAM, &program_);
    glGetIntegerv(GL_DRAW_FRAMEBUFFER_BINDING, &draw_);
    glGetIntegerv(GL_READ_FRAMEBUFFER_BINDING, &read_);
  }
  ~KeepsState() {
    glUseProgram(static_cast<GLuint>(program_));
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, static_cast<GLuint>(draw_));
    glBindFramebuffer(GL_READ_FRAMEBUFFER, static_cast<GLuint>(read_));
  }
  KeepsState(const KeepsState&) = delete;
  KeepsState& operator=(const KeepsState&) = delete;

 private:
  GLint program_ = 0, draw_ = 0, read_ = 0;
};

}  // namespace

void CaptureProgress::keep() {
  const glm::ivec2 size = window_.framebufferSize();
  if (backdrop_.size() != size) {
    backdrop_ = gl::Texture(GL_RGBA8, size);
    framebuffer_ = gl::Framebuffer(backdrop_);
  }
  blit(0, framebuffer_.name(), size);
}

void CaptureProgress::begin(const std::string& file, float expectedS, Work work) {
  beganS_ = lastS_ = glfwGetTime();
  file_ = file;
  expectedS_ = expectedS;
  work_ = work;
  drawn_ = 0.0f;
  next_ = 1.0f;
  cancelled_ = shown_ = false;
  if (expectedS_ > kDelayS) show();
}

void CaptureProgress::end() {
  if (!beganS_) return;
  beganS_.reset();
  cancelled_ = false;
  blit(framebuffer_.name(), 0, backdrop_.size());
}

void CaptureProgress::say(const std::string& notice) {
  end();
  const std::string shown = session_.notices.ageS < kNoticeS ? session_.notices.text : "";
  session_.say(notice);
  laidOut_ = true;
  const KeepsState state;
  ui_.begin({}, session_.preferences.uiScale);
  ui_.editNotice(session_, shown);
  ui_.paint(0);
}

void CaptureProgress::drawn(float part, float next) {
  drawn_ = part;
  next_ = next;
  if (cancels()) throw FrameAbandoned();
}

bool CaptureProgress::cancels() {
  if (!beganS_ || (work_ == Work::longWork && LongWork::current() == nullptr)) return false;
  const double now = glfwGetTime();
  if (!cancelled_ && now - *beganS_ > kDelayS && now - lastS_ > kPeriodS) {
    if (gl::isSoftwareRenderer()) glFinish();  // computes the queued stage: until then, the progress would not move
    show();
    lastS_ = glfwGetTime();
  }
  return cancelled_;
}

float CaptureProgress::part() const {
  if (const LongWork* const work = LongWork::current()) return work->part();
  if (next_ - drawn_ < 1.0f || expectedS_ <= 0.0f) return drawn_;
  const float time = static_cast<float>(glfwGetTime() - *beganS_) / expectedS_;
  return time < 1.0f ? kExpected * time : 1.0f - (1.0f - kExpected) / time;  // never rests
}

std::string CaptureProgress::text() const {
  if (const LongWork* const work = LongWork::current()) return std::string(work->name()) + " for " + file_;
  return (part() < 1.0f ? "Drawing " : "Writing ") + file_;
}

void CaptureProgress::show() {
  shown_ = laidOut_ = true;
  const KeepsState state;
  glfwPollEvents();
  for (int i = 0; i == 0 || (i < kMaxEvents && window_.inputWaits()); ++i) {
    const auto events = window_.takeEvents();
    for (const InputEvent& event : events) {
      cancelled_ |= event.kind == InputEvent::Kind::key && event.code == GLFW_KEY_ESCAPE;
      if (event.kind == InputEvent::Kind::release && event.code <= static_cast<int>(MouseButton::middle)) mouse_.drop();
    }
    ui_.begin(events, session_.preferences.uiScale);
    cancelled_ |= ui_.editCapture(session_, text(), part());
  }
  blit(framebuffer_.name(), 0, backdrop_.size());
  ui_.paint(0);
  glfwSwapBuffers(window_.handle());
}

}  // namespace satdof
