#pragma once
#include <cstddef>
#include <cstdint>
#include <string>

// The clipboard of the desktop, without GLFW: GLFW waits for the owner of the clipboard for ever.
namespace satdof {

// Whether these functions reach the clipboard.
bool clipboardReached();

// The text of the clipboard, in UTF-8; empty if it holds none. Throws std::runtime_error if its owner takes longer than
// `limitS` seconds or gives more than `limitBytes`. For any thread; while this program owns the clipboard, the
// main thread must take events.
std::string clipboardText(double limitS, std::size_t limitBytes);

// A number of the owner of the clipboard; 0: none.
std::uintptr_t clipboardOwner();

// GLFW ends by giving its text to the clipboard manager. If the manager does not answer within `limitS` seconds, takes the
// clipboard from GLFW, which would wait for ever.
void leaveHangingManager(double limitS);

}  // namespace satdof
