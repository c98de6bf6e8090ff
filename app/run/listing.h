#pragma once
#include <string>

namespace satdof {

// The lines of --list: every device, scan, compaction, sort, table format, lens and view, whether it is available,
// and why not. Needs a current context.
std::string listing();

// The tables of --formats as Markdown: what is read of images, models and extensions of glTF.
std::string formatTables();

}  // namespace satdof
