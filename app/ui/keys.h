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
  const char* keys;  // as the overlay shows them
  const char* help;
  const char* characters;  // what is typed; act() gets the index, or -1 for `key`
  int key;                 // a GLFW key, or 0
  bool control;            // `key` needs the control key
  Trigger trigger;
  void (*act)(Session& session, int index);  // null: the mouse does it, see PictureMouse
};

std::span<const KeyBinding> keyBindings();

// A key went down (`repeated`: by the keyboard's repeat). `key` is GLFW's.
void pressKey(Session& session, int key, bool control, bool repeated);
// A character was typed.
void typeCharacter(Session& session, unsigned character, bool repeated);

}  // namespace satdof
