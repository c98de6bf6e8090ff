#pragma once
#include <span>

#include "app/ui/session.h"

// The one table of keys: it drives what they do and the overlay that lists them.
namespace satdof {

enum class Trigger {
  press,   // once a press
  repeat,  // again while the keyboard repeats
  hold,    // every frame while down
};

struct KeyBinding {
  const char* keys = nullptr;  // as the overlay shows them; null: the row above does
  const char* help = nullptr;
  const char* typed = "";  // characters; act() gets the index
  int key = 0;             // or a GLFW key; act() gets -1
  bool control = false;    // `key` needs the control key
  Trigger trigger = Trigger::press;
  void (*act)(Session& session, int index) = nullptr;  // null: the mouse does it, see ImageMouse
};

std::span<const KeyBinding> keyBindings();

// A key went down (`repeated`: by the keyboard's repeat). `key` is GLFW's.
void pressKey(Session& session, int key, bool control, bool repeated);
// A character was typed.
void typeCharacter(Session& session, unsigned character, bool repeated);

}  // namespace satdof
