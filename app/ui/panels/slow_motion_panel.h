#pragma once
#include <span>
#include <string>

#include "app/trace/show.h"
#include "app/ui/session.h"

namespace satdof {

// Draws the window that plays kernels in slow motion: lesson, choice of the kernels, buttons, and the state of each
// kernel. `show`: null until the frame after session.slow.shown is set, and while nothing can be played.
void drawSlowMotionPanel(Session& session, const trace::Show* show, std::span<const trace::Lesson> lessons,
                         float columnWidth);

// Starts a lesson at its first stop.
void chooseLesson(SlowMotionPanel& panel, const trace::Lesson& lesson, std::size_t index);

// Opens the window at the first step of a kernel, or of a scan.
void watchKernel(Session& session, const std::string& kernel);
void watchScan(Session& session, Scan scan);

}  // namespace satdof
