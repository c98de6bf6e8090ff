#pragma once
#include <string>

namespace satdof::gl {

// Enables synchronous debug output. Prints errors and undefined behaviour to stderr and counts them. Ignores the shader
// compiler: Program throws its log.
void enableDebugOutput();
// Return the number of errors since enableDebugOutput(), and the text of the first error.
int debugErrorCount();
const std::string& firstDebugError();

}  // namespace satdof::gl
