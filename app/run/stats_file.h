#pragma once
#include <filesystem>
#include <optional>
#include <string>

#include "app/core/settings.h"
#include "app/gl/frame_stats.h"
#include "app/io/notes.h"
#include "app/quality/comparison.h"

namespace satdof {

// Writes JSON: machine {gpu, driver, gl, cpu}; device; state, see FrameResult; notes of readers of files; settings;
// frames; warmUpFrames, the part of the frames that is not measured; frameMedianUs; frameP99Us; stages [{name,
// clock, medianUs, p99Us}]; and, with a comparison, compare {lens, samples, psnrDb, ssim, flip, noiseFloorPsnrDb,
// noiseFloorSsim, noiseFloorFlip}. Missing values and the psnrDb of equal images are null, and flip in a build
// without NVIDIA's FLIP.h. Needs a current context. Throws std::runtime_error if the file cannot be written.
void writeStats(const std::filesystem::path& path, const Settings& settings, const std::string& state,
                const Notes& notes, const FrameStats& stats, int frames, int warmUpFrames,
                const std::optional<Comparison>& comparison = {});

}  // namespace satdof
