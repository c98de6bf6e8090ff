#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "app/core/shot/shot.h"

namespace satdof {

// Returns the shot as JSON; docs/shots.md describes the format.
std::string shotToJson(const Shot& shot);

// Returns the format of a text: one name for shots, one for the camera paths of each program; empty for anything else.
std::string_view shotKind(std::string_view text);

// Reads a shot, or a camera path of instant-ngp or nerfstudio; `notes` lists the parts of a path that a shot cannot
// hold. Throws UsageError if `text` is damaged, has another version, an unknown name, a value out of range, times that
// do not increase, or too many keys. The message names `origin`, the file, unless it is empty.
Shot shotFromJson(std::string_view text, const std::string& origin, std::vector<std::string>& notes);

}  // namespace satdof
