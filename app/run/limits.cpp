#include "app/run/limits.h"

#include <algorithm>
#include <glm/common.hpp>
#include <limits>
#include <stdexcept>

#include "app/core/system/resources.h"
#include "app/core/system/thread_pool.h"
#include "app/core/text/formatted.h"
#include "app/gl/debug.h"
#include "app/gl/gl.h"
#include "app/gl/software.h"
#include "app/lens/graph.h"
#include "app/lens/lens.h"
#include "app/render/overscan.h"
#include "app/render/resolve.h"
#include "app/scene/camera.h"

namespace satdof {

namespace {

int maxSide() {
  GLint texture = 0, renderbuffer = 0, viewport[2] = {0, 0};
  glGetIntegerv(GL_MAX_TEXTURE_SIZE, &texture);
  glGetIntegerv(GL_MAX_RENDERBUFFER_SIZE, &renderbuffer);
  glGetIntegerv(GL_MAX_VIEWPORT_DIMS, viewport);
  return std::min({texture, renderbuffer, viewport[0], viewport[1]});
}

bool drawsLayers(const ResolvedSettings& settings, const Technique& technique) {
  return lensOf(technique.lens.kind).layers && settings.lens.layers == 2;
}

// Whether is(technique) for side A or, if shown, side B.
template <class Is>
bool anyOf(const ResolvedSettings& settings, const Is& is) {
  return is(settings.technique) || (showsB(settings) && is(settings.split.b));
}

// Bytes of the images and tables of a lens.
double lensBytes(const ResolvedSettings& settings, const Technique& technique, glm::ivec2 size) {
  const LensRow& row = lensOf(technique.lens.kind);
  if (row.plan == nullptr) return 32.0 * size.x * size.y;  // two images of sums, RGBA32F
  const LensFacts facts{
      .lens = settings.lens, .scene = {.size = size}, .secondLayer = drawsLayers(settings, technique)};
  return bytesOf(row.plan(technique, facts), size);
}

// Estimates the bytes of all images:
// - scene: half-float colour and float depth a sample, resolved colour and depth a pixel; twice for lenses that draw
//   views from points of the aperture, and once more with one sample for the second depth layer;
// - each technique: the images of its lens with the nearest surfaces at the near plane, the result, and scratch memory
//   of the device that needs most for one table (gl-fragment, 80 bytes a pixel measured); all twice for the view
//   table-error;
// - filter: a result and an image of floats;
// - split: the difference and the joined image.
// Leaves out what does not grow with the image, such as the buffers of bokeh sprites (19 MiB).
double neededBytes(const ResolvedSettings& settings) {
  const int samples = settings.scene.samples;
  const double once = (samples > 1 ? 12.0 * samples : 4.0) + 12.0;
  const bool views = anyOf(settings, [](const Technique& of) { return lensOf(of.lens.kind).accumulates; });
  const bool behind = anyOf(settings, [&](const Technique& of) { return drawsLayers(settings, of); });
  const double scene = once + (views ? once : 0.0) + (behind ? 16.0 : 0.0);
  const double both = showsB(settings) ? 8.0 + 8.0 : 0.0;
  const double filter = settings.filter.mask.none() ? 0.0 : 8.0 + 16.0;
  const int part = overscanDivisor(settings, [](int) { return kNearM; });
  const glm::ivec2 size = settings.size + 2 * overscanPx(settings.size, part, std::numeric_limits<int>::max());
  const double pixels = static_cast<double>(size.x) * size.y;
  const auto ofTechnique = [&](const Technique& of) {
    return (lensBytes(settings, of, size) + pixels * (80.0 + 8.0 + filter)) * (of.view == View::tableError ? 2.0 : 1.0);
  };
  return pixels * (scene + both) + ofTechnique(settings.technique) +
         (showsB(settings) ? ofTechnique(settings.split.b) : 0.0);
}

std::string mebibytes(double bytes) { return std::to_string(static_cast<long>(bytes / 1048576.0)) + " MiB"; }

// What Mesa's software OpenGL takes to start, measured with Mesa 22.3 and rounded up. With less address space it
// crashes; if threads cannot start, it hangs.
constexpr double kStartAddressBytes = 768.0 * 1048576.0, kStackBytes = 8.0 * 1048576.0;
constexpr double kStartMemoryBytes = 192.0 * 1048576.0;
constexpr int kMaxGlThreads = 32, kOtherThreads = 4;
// Part of free main memory for what neededBytes() counts. A capture of 900 x 900 pixels by the layered lens takes 14 %
// more: the floats that a lens on the processor reads and writes, and the pixels of the file.
constexpr double kForImages = 0.85;

}  // namespace

void requireResources() {
  const int threads = std::min(hardwareThreads(), kMaxGlThreads) + hardwareThreads() + kOtherThreads;
  const double address = kStartAddressBytes + threads * kStackBytes;
  if (const auto free = freeAddressSpaceBytes(); free && *free < address)
    throw std::runtime_error("the limit of address space is too low: OpenGL may need " + mebibytes(address) + " of " +
                             mebibytes(*free) + " left; raise it with ulimit -v");
  if (const auto free = freeMemoryBytes(); free && *free < kStartMemoryBytes)
    throw std::runtime_error("too little memory: OpenGL may need " + mebibytes(kStartMemoryBytes) + " of " +
                             mebibytes(*free) + " free; end other programs or raise the limit of the control group");
  requireThreads(threads);
}

double freeImageBytes() {
  if (GLAD_GL_NVX_gpu_memory_info && !gl::isSoftwareRenderer()) {  // Mesa 24.0's llvmpipe reports far too little
    GLint kibibytes = 0;
    glGetIntegerv(GL_GPU_MEMORY_INFO_CURRENT_AVAILABLE_VIDMEM_NVX, &kibibytes);
    return kibibytes * 1024.0;
  }
  constexpr double kUnlimited = std::numeric_limits<double>::infinity();
  return kForImages * std::min(freeMemoryBytes().value_or(kUnlimited), freeAddressSpaceBytes().value_or(kUnlimited));
}

void requireMainMemory(glm::ivec2 size, double bytesPerPixel) {
  const double needed = bytesPerPixel * static_cast<double>(size.x) * static_cast<double>(size.y);
  const auto free = freeMemoryBytes();
  if (free && *free < needed)
    throw std::runtime_error(std::to_string(size.x) + " x " + std::to_string(size.y) +
                             " is too large: its pixels need about " + mebibytes(needed) + " of " + mebibytes(*free) +
                             " of main memory free; choose a smaller size");
}

std::string shortage(const Settings& settings, double freeBytes) {
  const std::string size = std::to_string(settings.size.x) + " x " + std::to_string(settings.size.y);
  if (std::max(settings.size.x, settings.size.y) > maxSide())
    return size + " is too large: this OpenGL driver allows " + std::to_string(maxSide()) +
           " pixels per side; choose a smaller size";
  const double needed = neededBytes(ResolvedSettings(settings));
  if (needed <= freeBytes) return {};
  return size + " is too large: it needs about " + mebibytes(needed) + " of " + mebibytes(freeBytes) +
         " free; choose a smaller size or fewer samples per pixel";
}

glm::ivec2 sizeWithin(Settings settings, double freeBytes) {
  while (settings.size != glm::ivec2(1) && !shortage(settings, freeBytes).empty())
    settings.size = glm::max(settings.size / 2, glm::ivec2(1));
  return settings.size;
}

std::optional<std::string> AffordableSize::check(const Settings& settings) {
  const Need need{settings.size,      settings.scene.samples, settings.lens.layers, settings.lens.overscan,
                  settings.technique, settings.split.b,       showsB(settings),     !settings.filter.mask.none()};
  if (need == need_) return std::nullopt;
  need_ = need;
  const double free = freeImageBytes();
  size_ = sizeWithin(settings, free);
  return shortage(settings, free);
}

void requireContext() {
  if (glGetGraphicsResetStatus() != GL_NO_ERROR) throw ContextLost();
}

void whileContextLasts(const std::function<void()>& draw) {
  try {
    draw();
  } catch (const ContextLost&) {
    throw;
  } catch (const std::exception&) {
    requireContext();
    throw;
  }
}

void requireGlSuccess() {
  requireNoGlErrors();
  requireContext();
  const GLenum error = glGetError();
  if (error == GL_NO_ERROR) return;
  if (error == GL_OUT_OF_MEMORY)
    throw std::runtime_error("OpenGL is out of memory; use a smaller --size or fewer --samples");
  throw std::runtime_error(formatted("OpenGL error 0x%04x", error) +
                           "; run with --gl-debug, and report what it prints with the output of --list");
}

void requireNoGlErrors() {
  if (gl::debugErrorCount() > 0)
    throw std::runtime_error("OpenGL error: " + gl::firstDebugError() +
                             "; update the graphics driver, or report the error with the output of --list");
}

}  // namespace satdof
