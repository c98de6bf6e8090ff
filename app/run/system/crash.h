#pragma once
#include <filesystem>
#include <vector>

namespace satdof {

// $XDG_STATE_HOME/satdof, or the same folder under ~/.local/state; on Windows under %LOCALAPPDATA%. Empty if there is none.
std::filesystem::path stateFolder();

// Installs handlers for fatal signals and std::terminate(). A handler creates `folder`, writes a report into it, prints the path of
// the report to stderr, and raises the signal again. The report holds the signal, the version and commit of the program, the time, and
// the addresses of the calls in their files: no path, no name of a user or machine, but the names of loaded libraries. The newest reports are kept.
// Does nothing with an empty folder, on Windows, and for signals that something else handles already, such as a sanitizer.
void reportCrashes(const std::filesystem::path& folder);

// The names of the reports in `folder`, the newest last.
std::vector<std::filesystem::path> crashReports(const std::filesystem::path& folder);

}  // namespace satdof
