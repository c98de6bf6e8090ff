#pragma once
#include <filesystem>
#include <functional>
#include <glm/vec2.hpp>
#include <optional>
#include <vector>

#include "app/core/shot/shot.h"
#include "app/io/image_file.h"
#include "app/io/layer_file.h"
#include "app/io/metadata/exif.h"
#include "app/io/metadata/image_text.h"
#include "app/render/renderer.h"

namespace satdof {

// One of the images that motion blur averages.
struct Moment {
  Settings settings;  // their size is ignored
  float timeS;        // animation time
};

struct CaptureOptions {
  int bitDepth = 0;    // of a CaptureChoice; 0: the first choice
  float progress = 1;  // of the renderer's image, 0 to 1: the settings in the file get the samples drawn so far
  int quality = 92;    // JPEG: 1 to 100
  KeepMetadata keep = KeepMetadata::noGps;  // EXIF data of a photograph to keep
  glm::ivec2 size{0};      // of the file; 0: size of the renderer's image. Another size is rendered again
  bool redraw = false;     // renders again at any size
  glm::vec2 centre{0.5f};  // FrameRequest::centre, if the image is rendered again
  std::function<void(GLuint framebuffer, glm::ivec2 size)> drawOver = {};  // draws panels over the image
  std::vector<Layer> layers = {};                                          // to write beside the image, see layerPath()
  bool dated = true;                       // texts hold the date; without it, equal images give equal files
  bool numbered = false;                   // writes to the first free name of numberedNames()
  std::vector<Moment> moments = {};        // if any, their mean in linear light replaces the renderer's image
  std::vector<ImageText> texts = {};       // to write beside the settings
  std::string inputs = {};                 // InputHashes::of() the settings; empty: the files as they are now
  std::optional<double> memoryBytes = {};  // limit for images; none: freeImageBytes()
  std::function<void(long done, long tiles)> tileDone = {};  // called after each tile
  // Called before each frame of an image that is rendered again, with the part of the image drawn before and after
  // the frame, 0 to 1; then many times a second with 1 while the file is encoded. An exception ends the capture,
  // and nothing is written.
  std::function<void(float drawn, float next)> progressed = {};
};

// Writes the renderer's image to `path` and waits for the GPU. A failed write leaves the old file and no partial
// one. Returns the path that was written, or `path` if writeWithTimeout() gives up waiting. `settings` and the
// animation time `timeS` belong to the last frame of the renderer. An image of another size that exceeds the memory is
// drawn in tiles (app/run/tiles.h). Throws std::runtime_error if the image is too large or cannot be written.
//
// The extension chooses the contents:
// .png, .jpg, .tif: exposed, tone-mapped, sRGB.
// .hdr, .pfm, .tif of floats: linear light before exposure.
// .exr: linear light R, G, B; A, 1 unless the background is transparent; Z, metres along the optical axis, 32 bits,
// infinite in the sky; coc.Y, the signed radius of the circle of confusion in pixels, negative in front of the focus
// plane; with the layered lens near.Y, the part of a pixel that the near field or, in scenes with blended surfaces,
// these surfaces cover, 0 to 1. Z and coc.Y belong to the sharp image of side A.
// All but .pfm hold texts: the resolved settings, which draw the image again, and program, device and date.
std::filesystem::path capture(Renderer& renderer, const Settings& settings, float timeS,
                              const std::filesystem::path& path, const CaptureOptions& options = {});

// Whether an image of these settings has transparent pixels.
bool isTransparent(const Settings& settings);
// Whether isTransparent() for the settings or at some key of a shot. `shot`: may be null.
bool mayBeTransparent(const Settings& settings, const Shot* shot);

// The pixels of a PNG with 8 bits, bottom row first: three bytes a pixel or, with `alpha`, four.
std::vector<unsigned char> captureRgb(Renderer& renderer, const Settings& settings, float timeS,
                                      CaptureOptions options = {}, bool alpha = false);

}  // namespace satdof
