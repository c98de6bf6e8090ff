#pragma once
#include <optional>
#include <string>

struct GLFWwindow;

// The file dialog of the desktop's portal (org.freedesktop.portal.FileChooser), in a process of its own: nothing that the portal
// does or leaves undone reaches the window.
namespace satdof {

// Arguments of such a process: kPortalDialog, the method "OpenFile" or "SaveFile", the title, the folder or the file to save, the
// window ("x11:1a" or empty), the name of a filter and its patterns.
inline constexpr const char* kPortalDialog = "--portal-dialog";

// What the exit status of such a process says.
enum PortalDialogEnd {
  kPortalChose = 0,      // it has written the files, one a line
  kPortalCancelled = 1,  // as zenity and kdialog
  kPortalFailed = 3,     // it has written why
  kPortalMissing = 4,
};

// Whether this program is built with the library that reaches the portal.
bool hasPortalLibrary();

// The window as kPortalDialog takes it; empty on Wayland.
std::string portalWindow(GLFWwindow* window);

// If these are the arguments of such a process: shows the dialog and returns the exit status.
std::optional<int> portalDialog(int argc, const char* const* argv);

}  // namespace satdof
