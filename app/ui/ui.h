#pragma once
#include <memory>
#include <optional>
#include <string>

#include "app/gl/frame_stats.h"
#include "app/lab/table_benchmark.h"
#include "app/quality/live_comparison.h"
#include "app/ui/session.h"

struct GLFWwindow;

namespace satdof {

// What the panels show beside the settings.
struct Readings {
  const FrameStats& stats;
  std::string state, message;                        // of the renderer
  float progress = 1.0f;                             // of an image that is refined over several frames
  std::optional<LiveComparison::Result> comparison;  // with the reference, when one side of the split is it
  bool onSplit = false;                              // the mouse is on the split line
  const TableBenchmark* benchmark = nullptr;         // of this size; null before the first
};

// The panels, with Dear ImGui. They edit the session and do nothing themselves.
class Ui {
 public:
  // Chains to the window's callbacks, so these must be set before.
  explicit Ui(GLFWwindow* window);
  ~Ui();
  Ui(const Ui&) = delete;
  Ui& operator=(const Ui&) = delete;

  // Reads the mouse. From here on, whether it, or what is typed, is meant for a panel.
  void begin();
  bool ownsMouse() const;
  bool ownsKeyboard() const;
  void edit(Session& session, const Readings& readings);
  // Draws what edit() laid out into `framebuffer`, which has the window's framebuffer size.
  void paint(unsigned framebuffer) const;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace satdof
