#pragma once
#include <string>

#include "app/core/settings.h"

// The frames of a film as numbered files: "frames/%04d.png".
namespace satdof {

// The files of one such name. Their numbers follow each other.
struct FrameFiles {
  std::string name;
  int first = 0, count = 0;
};

// Whether the name of the file, in any folder, has one number, %d or %0Nd, and no other per cent sign.
bool hasNumber(const std::string& name);
// The same, and no file has exactly this name.
bool isFrameName(const std::string& name);
std::string frameFile(const std::string& name, int number);

// The files from the smallest number on, up to the first gap. Throws UsageError that begins with `where` if there is none.
FrameFiles frameFiles(const std::string& where, const std::string& name);

// The settings with the files of a frame, from 0 on, in place of such names. A depth counts from its own first number.
// Throws UsageError if an image or a depth has no such frame.
Settings atFrame(Settings settings, int frame);

}  // namespace satdof
