#pragma once
#include <filesystem>
#include <vector>

namespace satdof {

// $XDG_STATE_HOME/satdof, or the same folder under ~/.local/state; on Windows under %LOCALAPPDATA%. Empty if there is
// none.
std::filesystem::path stateFolder();

// Installs handlers for fatal signals and std::terminate(). A handler creates `folder`, writes a report into it,
// prints the path of the report to stderr, and raises the signal again. The report holds signal, version, commit and
// time, and the addresses of the calls with the names of loaded libraries, but no path and no name of a user or
// machine. The newest nine reports are kept. Does nothing with an empty folder, on Windows, and for signals that
// already have a handler, for example from a sanitizer.
void reportCrashes(const std::filesystem::path& folder);

// The file names of the reports in `folder`, the newest last.
std::vector<std::filesystem::path> crashReports(const std::filesystem::path& folder);

}  // namespace satdof
