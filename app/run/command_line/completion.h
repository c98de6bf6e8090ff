#pragma once
#include "app/run/command_line/command_line.h"

namespace satdof {

constexpr int kMaxFrames = 1000000;

// Reads the files that the options name, adds what follows from the options, and checks that they fit together. Throws
// UsageError.
void complete(CommandLine& line);

// Reads only what the options say about settings(): settings file, mask, and the depth beside a photograph. Decodes no
// film. Throws UsageError.
void completeSettings(CommandLine& line);

}  // namespace satdof
