#pragma once
#include <string>

namespace satdof {

// The lines of --list: every device, scan, compaction, sort, table format, lens and view, whether it is available,
// and why not. Needs a current context.
std::string listing();

// The tables of --formats as Markdown: formats of images and models, extensions of glTF, and the parts of each that are
// read.
std::string formatTables();

}  // namespace satdof
