#pragma once
#include <filesystem>
#include <functional>
#include <glm/vec2.hpp>

#include "app/io/image_file.h"
#include "app/render/renderer.h"

namespace satdof {

struct CaptureOptions {
  int bitDepth = 8;    // of PNG: 8 or 16
  glm::ivec2 size{0};  // of the file; 0: the image's. Another size than the image's is drawn anew
  std::function<void(GLuint framebuffer, glm::ivec2 size)> drawOver = {};  // panels, on top of the image
};

// Writes the image of `settings` at animation time `timeS` to `path`, whole or not at all, replacing what
// was there. The renderer must have drawn it last. By extension: .png (exposed, tone-mapped, sRGB; with the
// settings in its text, so that they draw the same image again), .hdr or .pfm (linear light, before
// exposure). Throws std::runtime_error when that fails. Waits for the GPU.
void capture(Renderer& renderer, const Settings& settings, float timeS, const std::filesystem::path& path,
             const CaptureOptions& options = {});

}  // namespace satdof
