#pragma once
#include <string>

namespace satdof {

// Keyword of the text with the settings, in every format that supports text.
inline constexpr const char* kSettingsKeyword = "satdof-settings";

// A text in an image file: a PNG chunk, an EXR attribute, comment lines of a Radiance HDR.
struct ImageText {
  std::string keyword, text;
};

}  // namespace satdof
