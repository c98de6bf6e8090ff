#pragma once
#include <string>

namespace satdof {

// The lines of --list: every device, scan, compaction, sort, table format, lens and view, available or why
// not. Needs a current context.
std::string listing();

}  // namespace satdof
