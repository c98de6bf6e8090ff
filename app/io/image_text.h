#pragma once
#include <string>

namespace satdof {

// Keyword of the text that holds the settings, in every format that carries text.
inline constexpr const char* kSettingsKeyword = "satdof-settings";

// A text in an image file: a chunk of a PNG, an attribute of an EXR, comment lines of a Radiance HDR.
struct ImageText {
  std::string keyword, text;
};

}  // namespace satdof
