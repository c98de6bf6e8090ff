#pragma once

namespace satdof {

// The parts of a format that its reader reads, approximates and leaves out, for `satdof --formats` and docs/files.md.
struct FormatSupport {
  const char* read = "";
  const char* approximated = "";  // with a note
  const char* leftOut = "";       // with a note, where a file has it
  const char* needs = "";         // the library that reads it, if a program may be built without
};

}  // namespace satdof
