#pragma once
#include <string>

namespace satdof {

// Returns the lines of --list: every device, scan, compaction, sort, table format, lens and view, whether it
// is available, and why not. Needs a current context.
std::string listing();

}  // namespace satdof
