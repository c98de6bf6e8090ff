#pragma once
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/gl/frame_stats.h"
#include "app/lab/laboratory.h"
#include "app/render/renderer.h"
#include "app/trace/costs.h"
#include "app/trace/show.h"
#include "app/ui/input.h"
#include "app/ui/session.h"

struct GLFWwindow;

namespace satdof {

// Values that the panels show and do not edit.
struct Readings {
  const FrameStats& stats;
  const FrameResult& frame;
  std::string state;                      // how the image was drawn
  bool onSplit = false;                   // the mouse touches the split line
  std::optional<LoadStatus> loading{};    // reading of the scene's file
  const lab::Laboratory* lab = nullptr;   // null until the window of the laboratory is opened
  std::span<const trace::Costs> costs{};  // costs of the kernels of its experiment that are counted so far
  const trace::Show* show = nullptr;      // null unless slow motion plays a kernel
  std::span<const trace::Lesson> lessons{};
};

// The user interface, drawn with Dear ImGui. Edits nothing but the session.
class Ui {
 public:
  explicit Ui(GLFWwindow* window);
  ~Ui();
  Ui(const Ui&) = delete;
  Ui& operator=(const Ui&) = delete;

  // Starts a frame with its input. ownsMouse() and ownsKeyboard() then tell whether a panel or a list takes the input.
  // `scale`: Preferences::uiScale.
  void begin(const std::vector<InputEvent>& events, float scale = 1.0f);
  bool ownsMouse() const;
  bool ownsKeyboard() const;
  // Whether the keyboard navigation of the panels is active and shows its item.
  bool navigates() const;
  // Lays out everything, and edits the session. One of the edit functions ends a frame.
  void edit(Session& session, const Readings& readings);
  // Lays out only the progress of a capture. Returns whether the user cancels it.
  bool editCapture(const Session& session, const std::string& text, float progress);
  // Lays out only the notice.
  void editNotice(const Session& session, const std::string& covered);
  // Whether a text field has requested the text of the clipboard since the last call. Answer with type().
  bool takePaste();
  // Types into the active text field.
  void type(const std::string& text);
  // Whether the size of the window has changed since edit().
  bool outgrown() const;
  // Draws the last layout into `framebuffer`, which has the size of the window's framebuffer.
  void paint(unsigned framebuffer) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace satdof
