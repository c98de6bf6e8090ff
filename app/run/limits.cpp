#include "app/run/limits.h"

#include <algorithm>
#include <fstream>
#include <optional>
#include <stdexcept>
#include <string>

#include "app/gl/debug.h"
#include "app/gl/gl.h"
#include "app/gl/software.h"

namespace satdof {

namespace {

int maxSide() {
  GLint texture = 0, renderbuffer = 0, viewport[2] = {0, 0};
  glGetIntegerv(GL_MAX_TEXTURE_SIZE, &texture);
  glGetIntegerv(GL_MAX_RENDERBUFFER_SIZE, &renderbuffer);
  glGetIntegerv(GL_MAX_VIEWPORT_DIMS, viewport);
  return std::min({texture, renderbuffer, viewport[0], viewport[1]});
}

std::optional<double> freeBytes() {
  // The extension of Mesa 24.0's llvmpipe reports far too little memory.
  if (GLAD_GL_NVX_gpu_memory_info && !gl::isSoftwareRenderer()) {
    GLint kibibytes = 0;
    glGetIntegerv(GL_GPU_MEMORY_INFO_CURRENT_AVAILABLE_VIDMEM_NVX, &kibibytes);
    return kibibytes * 1024.0;
  }
  std::ifstream memory("/proc/meminfo");
  std::string key, unit;
  for (double kibibytes = 0; memory >> key >> kibibytes; std::getline(memory, unit))
    if (key == "MemAvailable:") return kibibytes * 1024.0;
  return std::nullopt;
}

// Estimates the bytes of all images. Per sample: half-float colour and float depth. Per pixel: resolved colour
// and depth. Per pixel and technique, twice for the view table-error: a table of four words, scratch memory of
// the device that needs most (gl-fragment, 80 bytes measured), and an image. With a
// filter, another image and one of floats. Counts one table builder per
// technique: the layered lens has three and the tent lens four, so their need is larger.
double neededBytes(const Settings& settings) {
  GLint maxSamples = 1;
  glGetIntegerv(GL_MAX_SAMPLES, &maxSamples);
  const int samples = std::min(settings.scene.samples == 0 ? 4 : settings.scene.samples, maxSamples);
  const double scene = (samples > 1 ? 12.0 * samples : 4.0) + 12.0;
  const double technique = 16.0 + 80.0 + 8.0;
  const double filter = settings.filter.mask.none() ? 0.0 : 8.0 + 16.0;
  const auto tables = [](const Technique& of) { return of.view == View::tableError ? 2.0 : 1.0; };
  const double techniques = tables(settings.technique) + (showsB(settings) ? tables(settings.split.b) : 0.0);
  return static_cast<double>(settings.size.x) * settings.size.y * (scene + (technique + filter) * techniques);
}

std::string mebibytes(double bytes) { return std::to_string(static_cast<long>(bytes / 1048576.0)) + " MiB"; }

}  // namespace

void requireRoom(const Settings& settings) {
  const std::string size = std::to_string(settings.size.x) + " x " + std::to_string(settings.size.y);
  if (std::max(settings.size.x, settings.size.y) > maxSide())
    throw std::runtime_error(size + " is too large: this OpenGL driver allows " + std::to_string(maxSide()) +
                             " pixels per side; choose a smaller size");
  const double needed = neededBytes(settings);
  if (const auto free = freeBytes(); free && needed > *free)
    throw std::runtime_error(size + " is too large: it needs about " + mebibytes(needed) + " of " +
                             mebibytes(*free) + " free; choose a smaller size or fewer samples per pixel");
}

void requireNoGlErrors() {
  if (gl::debugErrorCount() > 0)
    throw std::runtime_error("OpenGL error: " + gl::firstDebugError() +
                             "; update the graphics driver, or report the error with the output of --list");
}

}  // namespace satdof
