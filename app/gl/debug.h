#pragma once
#include <string>

namespace satdof::gl {

// Turns on synchronous debug output. Errors and undefined behaviour are printed to stderr and counted; what
// is wrong with a shader is not, for Program throws it.
void enableDebugOutput();
// Number of errors since enableDebugOutput(), and the first one's text.
int debugErrorCount();
const std::string& firstDebugError();

}  // namespace satdof::gl
