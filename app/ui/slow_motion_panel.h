#pragma once
#include <span>
#include <string>

#include "app/trace/show.h"
#include "app/ui/session.h"

namespace satdof {

// Draws the window that plays kernels in slow motion: choice, lesson, buttons of the play, and the moment of each kernel.
// `show` is null until session.slow.shown has been set for a frame, and while nothing can be played.
void drawSlowMotionPanel(Session& session, const trace::Show* show, std::span<const trace::Lesson> lessons,
                         float columnWidth);

void chooseLesson(SlowMotionPanel& panel, const trace::Lesson& lesson, std::size_t index);

// Shows the first step of a kernel, or of a scan.
void watchKernel(Session& session, const std::string& kernel);
void watchScan(Session& session, Scan scan);

}  // namespace satdof
