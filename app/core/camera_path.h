#pragma once
#include <optional>
#include <string>
#include <vector>

#include "app/core/field_json.h"
#include "app/core/shot.h"

namespace satdof {

// Returns the shot of a camera path of instant-ngp or of nerfstudio, and none for another file. `notes` gets what the shot
// leaves out. Throws UsageError if the path is damaged.
//   instant-ngp (camera_path.json, base_cam.json): "path" is a list of cameras: rotation R (a quaternion x, y, z, w), place T,
//   vertical field of view, aperture radius, and the focus distance slice + scale. Cameras look along their z axis; y is up.
//   nerfstudio (camera_path.json): "camera_path" is a list of frames: camera_to_world (4x4, by rows) and the vertical field
//   of view. Cameras look against their z axis; z is up.
std::optional<Shot> shotOfCameraPath(const json::Json& file, const json::Source& source,
                                     std::vector<std::string>& notes);

// Returns the camera of a shot in each frame as the camera_path.json of such a program, with focus and aperture for instant-ngp. `base`:
// what the shot leaves as it is.
enum class CameraPathFormat : int { instantNgp, nerfstudio };
std::string cameraPathToJson(CameraPathFormat of, const Shot& shot, const Settings& base,
                             float framesPerSecond);

}  // namespace satdof
