#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "app/core/shot.h"

namespace satdof {

// Returns the shot as JSON, see docs/shots.md.
std::string shotToJson(const Shot& shot);

// The kind of a text: one for shots, one for the camera paths of each program; empty: none, such as settings.
std::string_view shotKind(std::string_view text);

// Reads a shot, or a camera path of instant-ngp or nerfstudio, whose parts that a shot lacks are named in `notes`. Throws UsageError
// if `text` is damaged, has a newer version, an unknown name, a value out of range, times that do not rise, or too many keys. The
// message names `origin`, the file, unless it is empty.
Shot shotFromJson(std::string_view text, const std::string& origin, std::vector<std::string>& notes);

}  // namespace satdof
