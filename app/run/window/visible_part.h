#pragma once
#include <glm/vec2.hpp>
#include <utility>
#include <vector>

#include "app/core/settings.h"
#include "app/ui/history.h"
#include "app/ui/session.h"

namespace satdof {

// Shifts the camera so that its target stays in the middle of the part of the image that the panels leave visible.
class CameraCentre {
 public:
  // Call after each layout of the panels. Shifts the camera if Session::centreCamera asks for it or, if `follows`, if
  // the target was in the middle before the panels or the window changed their size.
  void update(Session& session, History& history, bool follows);

 private:
  glm::vec2 middle_{-1.0f};  // CameraSettings::shiftX, shiftY for the last layout; -1: none yet
};

// Shows another scene or file as a whole: resets zoom and focus point, and says once what a photograph or a film lacks.
class NewFileWatch {
 public:
  // Call in every frame. `isRead`: the image shows the file of the settings. `exporting`: photographs are exported, so
  // that their defects are not said.
  void update(Session& session, bool isRead, bool exporting);

 private:
  std::pair<SceneKind, std::vector<FilePath>> files_;  // in the last update()
  FilePath film_;                                      // likewise; none: no film
  bool told_ = false;                                  // what the photograph or film lacks
};

}  // namespace satdof
