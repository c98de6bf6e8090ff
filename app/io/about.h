#pragma once

namespace satdof {

// What a reader supports of a format, for `satdof --formats` and docs/files.md.
struct FormatSupport {
  const char* read = "";
  const char* approximated = "";  // reading adds a note
  const char* leftOut = "";       // reading adds a note if a file contains it
  const char* needs = "";         // optional library that reads the format
};

}  // namespace satdof
