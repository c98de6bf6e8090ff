#pragma once
#include <cstddef>
#include <cstdint>
#include <string>

// The clipboard of the desktop without GLFW, which waits for the owner of the clipboard without limit.
namespace satdof {

// Whether these functions reach the clipboard.
bool clipboardReached();

// The text of the clipboard in UTF-8; empty if it holds none. Throws std::runtime_error if its owner does not answer
// within `limitS` seconds or gives more than `limitBytes`. Any thread may call it; if this program owns the
// clipboard, the main thread must poll events meanwhile.
std::string clipboardText(double limitS, std::size_t limitBytes);

// An identifier of the owner of the clipboard; 0: none.
std::uintptr_t clipboardOwner();

// Call before GLFW ends: GLFW then gives its text to the clipboard manager and waits without limit. If the manager
// does not answer within `limitS` seconds, takes the clipboard from GLFW.
void leaveHangingManager(double limitS);

}  // namespace satdof
