#pragma once
#include <string>

namespace satdof::gl {

// Enables synchronous debug output. Prints errors and undefined behaviour to stderr and counts them. Ignores
// messages of the shader compiler, because Program throws its log.
void enableDebugOutput();
// Number of errors since enableDebugOutput(), and the text of the first error.
int debugErrorCount();
const std::string& firstDebugError();

}  // namespace satdof::gl
