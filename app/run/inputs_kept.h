#pragma once
#include "app/run/command_line.h"

namespace satdof {

// Throws UsageError if an output has the name, or a link to the file, of an input or of another output.
void requireInputsKept(const CommandLine& line);

}  // namespace satdof
