#pragma once
#include <filesystem>
#include <memory>
#include <optional>

#include "app/io/exif.h"
#include "app/scene/image/depth_correction.h"
#include "app/scene/scene.h"

namespace satdof {

class LoadProgress;

// An image with its depth, from the files of ImageSettings. The image keeps its aspect and fills the output; what is
// left at two sides mirrors the image for the lens and is displayed black. Without files, a test chart; until the first files are
// read, grey. If files cannot be read, the last image stays and message() says why.
std::unique_ptr<Scene> makeImageScene();

// SceneRow::load, for a window: an image without depth is flat there, so that it is sharp.
std::shared_ptr<const void> loadImage(const SceneSettings& scene, const SceneSettings& shown,
                                      LoadProgress& progress);

// Whether the depth is what brushes made of it.
bool isCorrection(const ImageSettings& image);

// What the numbers of the depth mean; none if that is automatic and another image was read last.
std::optional<DepthMeaning> depthMeaning(const ImageSettings& image);

// The image that is shown, for brushes. Null unless it was the last one read. For the thread that draws.
std::shared_ptr<DepthCorrection> correctionOf(const ImageSettings& image);
// Gives the correction to `image`, whose depth is the file that the correction was written to, in place of `before`. Holds as long as
// the result is kept.
std::shared_ptr<const void> nameCorrection(const DepthCorrection& correction, const ImageSettings& before,
                                           const ImageSettings& image);

std::vector<std::string> imageExtensions();
// Whether the extension is one of them, in any case.
bool isImageFile(const std::filesystem::path& file);

// The size of the image file; none without a file. Throws std::runtime_error if it cannot be read.
std::optional<glm::ivec2> imageSize(const SceneSettings& scene);

// Texels of a photograph of `image` texels per pixel of an image of `size` pixels that it fits in, beside the panels that
// the shift of the camera leaves room for.
double texelsPerPixel(glm::ivec2 image, glm::ivec2 size, const CameraSettings& camera);

// What captures keep of the EXIF data of the image file.
PhotographFacts imageFacts(const SceneSettings& scene, KeepMetadata keep);

}  // namespace satdof
