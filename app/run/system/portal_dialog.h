#pragma once
#include <optional>
#include <string>

struct GLFWwindow;

// The file dialog of the desktop's portal (org.freedesktop.portal.FileChooser). It runs in a process of its own: a
// portal that fails or hangs does not block the window.
namespace satdof {

// Arguments of the process: kPortalDialog; the method, "OpenFile" or "SaveFile"; the title; the folder, or the file
// to save; the parent window, "x11:1a" or empty; the name of a file filter; the patterns of this filter.
inline constexpr const char* kPortalDialog = "--portal-dialog";

// Exit status of the process.
enum PortalDialogEnd {
  kPortalChose = 0,      // standard output has the files, one a line
  kPortalCancelled = 1,  // the same status as of zenity and kdialog
  kPortalFailed = 3,     // standard output has the reason
  kPortalMissing = 4,    // there is no portal
};

// Whether this program is built with libdbus, which reaches the portal.
bool hasPortalLibrary();

// The window as an argument of the process, "x11:1a"; empty on Wayland.
std::string portalWindow(GLFWwindow* window);

// If `argv` begins with kPortalDialog, shows the dialog and returns the exit status; else nothing.
std::optional<int> portalDialog(int argc, const char* const* argv);

}  // namespace satdof
