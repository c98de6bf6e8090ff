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
  std::optional<LoadStatus> loading{};    // of the scene's file
  const lab::Laboratory* lab = nullptr;   // null until its window has been opened
  std::span<const trace::Costs> costs{};  // of the kernels of its experiment, as far as counted
  const trace::Show* show = nullptr;      // null unless a kernel is played
  std::span<const trace::Lesson> lessons{};
};

// The panels, drawn with Dear ImGui. They only edit the session.
class Ui {
 public:
  explicit Ui(GLFWwindow* window);
  ~Ui();
  Ui(const Ui&) = delete;
  Ui& operator=(const Ui&) = delete;

  // Starts a frame with its input. Then ownsMouse() and ownsKeyboard() tell whether a panel or a list takes it.
  // `scale`: Preferences::uiScale.
  void begin(const std::vector<InputEvent>& events, float scale = 1.0f);
  bool ownsMouse() const;
  bool ownsKeyboard() const;
  // Whether the keyboard navigation of the panels shows where it is.
  bool navigates() const;
  void edit(Session& session, const Readings& readings);
  // In place of edit() while a file is captured. Returns whether the user cancels.
  bool editCapture(const Session& session, const std::string& text, float part);
  // In place of edit(): the notice alone.
  void editNotice(const Session& session);
  // Whether a text field has asked for the text of the clipboard since the last call. type() brings it.
  bool takePaste();
  // Types into the text field that is active.
  void type(const std::string& text);
  // Whether the window's size is another one than in edit().
  bool outgrown() const;
  // Draws the layout of edit() into `framebuffer`, which has the window's framebuffer size.
  void paint(unsigned framebuffer) const;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace satdof
