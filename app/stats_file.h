#pragma once
#include <filesystem>

#include "app/renderer.h"

namespace satdof {

// Writes JSON: machine {gpu, driver, gl, cpu}, backend, state, settings, frames, warmUpFrames (of those, not
// counted in the times), frameMedianUs, stages [{name, clock, medianUs, p99Us}]. Needs a current context.
// Throws std::runtime_error when the file cannot be written.
void writeStats(const std::filesystem::path& path, const Settings& settings, const Renderer& renderer,
                const FrameStats& stats, int frames, int warmUpFrames);

}  // namespace satdof
