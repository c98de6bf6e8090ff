#pragma once
#include <string>

namespace satdof {

// Keyword of the text with the settings, in every format that supports text.
inline constexpr const char* kSettingsKeyword = "satdof-settings";
// Keywords of texts on what a capture shows besides its settings: its motion blur, and what the depth of a frame takes
// from the other frames of its film.
inline constexpr const char* kShutterKeyword = "Shutter";
inline constexpr const char* kFilmKeyword = "Film";

// A text in an image file: a PNG chunk, an EXR attribute, comment lines of a Radiance HDR.
struct ImageText {
  std::string keyword, text;
};

}  // namespace satdof
