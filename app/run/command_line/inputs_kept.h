#pragma once
#include <string>

#include "app/run/command_line/command_line.h"

namespace satdof {

// Throws UsageError if an output is the same file as an input or another output, also through links.
void requireInputsKept(const CommandLine& line);

// The JSON text of --inputs: version and hash of the program with its shaders and assets; the files that the command
// reads, for a video not its decoded frames; the options that write files other than frames; the suffixes of a
// frame's layers; the frame rate; how the program encodes the video.
std::string inputsListing(const CommandLine& line);

}  // namespace satdof
