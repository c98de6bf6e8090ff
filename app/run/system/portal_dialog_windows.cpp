#include "app/run/system/portal_dialog.h"

namespace satdof {

bool hasPortalLibrary() { return false; }

std::string portalWindow(GLFWwindow* /*window*/) { return {}; }

std::optional<int> portalDialog(int /*argc*/, const char* const* /*argv*/) { return std::nullopt; }

}  // namespace satdof
