#pragma once
#include <string>

#include "app/core/settings.h"

// The frames of a film as numbered files. Their name is a pattern, "frames/%04d.png".
namespace satdof {

// Files of one pattern with consecutive numbers.
struct FrameRange {
  std::string name;  // the pattern
  int first = 0, count = 0;
};

// Whether the file name, without its folder, has one number, %d or %0Nd, and no other per cent sign.
bool hasFrameNumber(const std::string& name);
// Whether `name` is a pattern: hasFrameNumber() is true and no file has exactly this name.
bool isFrameName(const std::string& name);
// The file of a pattern with this number.
std::string frameFile(const std::string& name, int number);

// The files of a pattern from the smallest number up to the first gap. Throws UsageError that begins with `where` if
// there is none.
FrameRange findFrames(const std::string& where, const std::string& name);

// Returns a note or error on a frame with the name of its film in place of the frame's file. `frame`: the files of the
// frame; `film`: those that the user named.
std::string ofFilm(const std::string& note, const ImageSettings& frame, const ImageSettings& film);

// Returns the settings with the files of a frame, from 0 on, in place of patterns. Image and depth each count from
// their own first number. Throws UsageError if an image or a depth has no such frame; the error
// names the files of `named`, or if it is empty, of the settings.
Settings atFrame(Settings settings, int frame, const ImageSettings& named = {});

}  // namespace satdof
