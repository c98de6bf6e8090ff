#pragma once
#include <filesystem>
#include <functional>
#include <glm/vec2.hpp>

#include "app/io/image_file.h"
#include "app/render/renderer.h"

namespace satdof {

struct CaptureOptions {
  int bitDepth = 8;    // of a PNG: 8 or 16
  float progress = 1;  // of the renderer's image: the settings in a PNG name as many samples as it has
  glm::ivec2 size{0};  // of the file; 0: size of the renderer's image. Another size is rendered again
  std::function<void(GLuint framebuffer, glm::ivec2 size)> drawOver = {};  // panels, on top of a PNG
};

// Writes the renderer's image to `path`, replacing the file; a failed write leaves no partial file.
// `settings` and the animation time `timeS` belong to the last frame of the renderer. Formats by extension:
// .png (exposed, tone-mapped, sRGB; its text holds the settings that draw the image again,
// with everything automatic replaced, and program, device and date), .hdr or .pfm
// (linear light before exposure). Throws std::runtime_error if the image is too large or cannot be written.
// Waits for the GPU.
void capture(Renderer& renderer, const Settings& settings, float timeS, const std::filesystem::path& path,
             const CaptureOptions& options = {});

}  // namespace satdof
