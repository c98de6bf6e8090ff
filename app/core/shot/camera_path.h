#pragma once
#include <optional>
#include <string>
#include <vector>

#include "app/core/field_json.h"
#include "app/core/shot/shot.h"

namespace satdof {

// Converts a camera path of instant-ngp or nerfstudio to a shot. Returns nothing for other files. Appends a note to
// `notes` for each part of the file that a shot cannot hold. Throws UsageError if the path is damaged.
//   instant-ngp (camera_path.json, base_cam.json): "path" is a list of cameras with rotation R (quaternion x, y, z, w),
//   position T, vertical field of view, aperture radius, and focus distance slice + scale. Cameras look along +z; y is
//   up. nerfstudio (camera_path.json): "camera_path" is a list of frames with camera_to_world (4x4, row-major) and the
//   vertical field of view. Cameras look along -z; z is up.
std::optional<Shot> shotOfCameraPath(const json::Json& file, const json::Source& source,
                                     std::vector<std::string>& notes);

// Returns the camera of each frame of a shot as camera_path.json; instant-ngp also gets focus and aperture. `base`: the
// values of the settings that the shot does not animate.
enum class CameraPathFormat : int { instantNgp, nerfstudio };
std::string cameraPathToJson(CameraPathFormat format, const Shot& shot, const Settings& base, float framesPerSecond);

}  // namespace satdof
