#pragma once
#include <string>

namespace satdof::gl {

// Turns on synchronous debug output. Errors and undefined behaviour are printed to stderr and counted.
void enableDebugOutput();
// Number of errors since enableDebugOutput(), and the first one's text.
int debugErrorCount();
const std::string& firstDebugError();

}  // namespace satdof::gl
