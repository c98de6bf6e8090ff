#pragma once
#include <filesystem>
#include <functional>
#include <glm/vec2.hpp>
#include <optional>
#include <vector>

#include "app/core/shot.h"
#include "app/io/exif.h"
#include "app/io/image_file.h"
#include "app/io/image_text.h"
#include "app/io/layer_file.h"
#include "app/render/renderer.h"

namespace satdof {

// An image of another time.
struct Moment {
  Settings settings;  // but for the size
  float timeS;        // of the animation
};

struct CaptureOptions {
  int bitDepth = 0;    // of a CaptureChoice; 0: the first
  float progress = 1;  // of the renderer's image: its settings in the file name as many samples as it has
  int quality = 92;    // JPEG: 1 to 100
  KeepMetadata keep = KeepMetadata::noGps;  // of a photograph
  glm::ivec2 size{0};      // of the file; 0: size of the renderer's image. Another size is rendered again
  bool redraw = false;     // renders again at any size
  glm::vec2 centre{0.5f};  // FrameRequest::centre of an image of another size
  std::function<void(GLuint framebuffer, glm::ivec2 size)> drawOver = {};  // panels, on top of a PNG
  std::vector<Layer> layers = {};     // to write beside the image, see layerPath()
  bool dated = true;                  // the texts hold the date; without it, equal images are equal files
  bool numbered = false;              // writes a new file, see writeNumbered()
  std::vector<Moment> moments = {};   // the mean of these, in linear light, replaces the renderer's image
  std::vector<ImageText> texts = {};  // to write beside the settings
  std::optional<double> memoryBytes = {};                    // for images; none: freeImageBytes()
  std::function<void(long done, long tiles)> tileDone = {};  // called for every tile, if tiles are drawn
  // Called before each frame of an image that is rendered again: the part that is drawn, and that will be after the frame, 0 to 1. Then
  // often, with 1, while the file is encoded. May throw: then nothing is written.
  std::function<void(float drawn, float next)> progressed = {};
};

// Writes the renderer's image to `path`, replacing the file; a failed write leaves no partial file. Returns the path that
// was written, or `path` if writeInTime() leaves it.
// `settings` and the animation time `timeS` belong to the last frame of the renderer. Formats by extension:
// .png, .jpg, .tif: exposed, tone-mapped, sRGB. .hdr, .pfm, .tif of floats: linear light before exposure. .exr: linear
// light R, G, B and A, 1 unless the background is transparent; Z, metres along the optical axis, 32 bits, infinite in
// the sky; coc.Y, the signed radius of the circle of confusion in pixels, negative in front of the focus plane; with the
// layered lens near.Y, the part of a pixel that the near field covers, 0 to 1, or in scenes with blended surfaces the
// part that these cover. Z and coc.Y belong to the sharp image of technique A. Texts of all but .pfm hold the settings
// that draw the image again, with everything automatic replaced, and program, device and date. An image of another size
// that memory cannot hold is drawn in tiles (app/run/tiles.h): only the joined pixels of the file need memory. Throws
// std::runtime_error if the image is too large or cannot be written. Waits for the GPU.
std::filesystem::path capture(Renderer& renderer, const Settings& settings, float timeS,
                              const std::filesystem::path& path, const CaptureOptions& options = {});

// Whether the file is what capture() would write: whole, with the layers that were written beside it, of the same settings, texts,
// program and device, and not older than the files that the settings name. Needs a current context.
bool holdsCapture(const std::filesystem::path& path, const Settings& settings, float timeS,
                  const CaptureOptions& options);

// Whether a file that holds alpha gets transparent pixels.
bool isTransparent(const Settings& settings);
// The same of some frame of a film. `shot`: may be null.
bool mayBeTransparent(const Settings& settings, const Shot* shot);

// The pixels that a PNG with 8 bits would hold: bottom row first, three bytes a pixel; with `alpha` four, whatever it would hold.
std::vector<unsigned char> captureRgb(Renderer& renderer, const Settings& settings, float timeS,
                                      CaptureOptions options = {}, bool alpha = false);

}  // namespace satdof
