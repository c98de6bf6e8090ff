#pragma once
#include <filesystem>
#include <memory>
#include <optional>

#include "app/core/pixels.h"
#include "app/io/metadata/exif.h"
#include "app/scene/image/depth_correction.h"
#include "app/scene/scene.h"

namespace satdof {

class LoadProgress;

// An image with its depth, from the files of ImageSettings. The image fits into the output; the lens sees the bars at
// its sides as mirror images, the display shows them black. Shows a test chart without files, and grey while the first
// files are being read. If files cannot be read, the last image stays and message() gives the reason.
std::unique_ptr<Scene> makeImageScene();

// SceneRow::load(), for a window: an image without depth is shown flat and sharp.
std::shared_ptr<const void> loadImage(const SceneSettings& scene, const SceneSettings& shown, LoadProgress& progress);

// Whether the depth file is a depth corrected by brushes.
bool isCorrection(const ImageSettings& image);

// Meaning of the depth values; none if it is automatic and the image is not in memory.
std::optional<DepthMeaning> depthMeaning(const ImageSettings& image);

// Metres of the number 1 in the depth: ImageSettings::scale or, if the image is in memory and millimetres were assumed,
// 0.001.
float usedScale(const ImageSettings& image);
// The image with another meaning of its depth. The meaning that was found automatically keeps its unit, if the image is
// in memory.
ImageSettings withMeaning(ImageSettings image, DepthMeaning meaning);

// The depth of the image, for brushes. Null unless the image is in memory. Call on the thread that draws.
std::shared_ptr<DepthCorrection> correctionOf(const ImageSettings& image);
// Caches the corrected contents of `before` as the contents of `image`, whose depth is the file of the correction. The
// cache entry lives as long as the result. Null if `before` does not show the correction.
std::shared_ptr<const void> nameCorrection(const DepthCorrection& correction, const ImageSettings& before,
                                           const ImageSettings& image);
// The same for a correction whose strokes are all undone; `image` has the depth file before them.
std::shared_ptr<const void> nameOriginal(const DepthCorrection& correction, const ImageSettings& before,
                                         const ImageSettings& image);

// Extensions of readable images, in lower case.
std::vector<std::string> imageExtensions();
// Whether a file has one of these extensions, in any case.
bool isImageFile(const std::filesystem::path& file);

// Size of the image file in pixels; none without a file. Throws std::runtime_error if the file cannot be read.
std::optional<glm::ivec2> imageSize(const SceneSettings& scene);

// Scale at which a photograph of `image` texels fits into an output of `size` pixels, without the space for panels that
// the shift of the camera leaves free.
double texelsPerPixel(glm::ivec2 image, glm::ivec2 size, const CameraSettings& camera);
// Pixels of the output that show the photograph, centred at the shift of the camera. Beside them are bars.
PixelRectangle fittedPhotograph(glm::ivec2 image, glm::ivec2 size, const CameraSettings& camera);

// The metadata of the image file that captures keep.
PhotographFacts imageFacts(const SceneSettings& scene, KeepMetadata keep);

}  // namespace satdof
