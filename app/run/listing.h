#pragma once
#include <string>

namespace satdof {

// The lines of --list: every backend, scan, compaction, sort, table format, lens and view, available or why
// not. Needs a current context.
std::string listing();

}  // namespace satdof
