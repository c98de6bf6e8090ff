#pragma once
#include <string>

#include "app/run/command_line.h"

namespace satdof {

// Throws UsageError if an output has the name, or a link to the file, of an input or of another output.
void requireInputsKept(const CommandLine& line);

// JSON of this program, with a hash of its file, shaders and assets; of the other files that the command reads, by path: of a video
// not its decoded frames; and of its outputs: options that write other files than frames, endings of a frame's layers, the rate.
std::string inputsListing(const CommandLine& line);

}  // namespace satdof
