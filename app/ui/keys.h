#pragma once
#include <span>
#include <string>

#include "app/ui/input.h"
#include "app/ui/session.h"

// The table of key bindings: their actions and the texts of the key help.
namespace satdof {

enum class Trigger {
  press,   // once for each press
  repeat,  // and for each repeat of the keyboard
  hold,    // every frame while the key is down
};

struct KeyBinding {
  const char* group = nullptr;  // of this and the following bindings; null: as before
  const char* keys = nullptr;   // in the key help; null: the previous binding names this key
  const char* help = nullptr;
  const char* typed = "";  // characters; act() gets the index of the typed one
  int key = 0;             // a GLFW key or 0; act() gets -1
  int keyCount = 1;        // more: with the keys that follow; act() gets the index of the pressed one
  bool control = false;    // `key` works only with the control key
  bool shift = false;      // and, with the control key, only with the shift key
  Trigger trigger = Trigger::press;
  void (*act)(Session& session, int index) = nullptr;  // null: done by ImageMouse
};

std::span<const KeyBinding> keyBindings();

// What to try first in a new window.
std::string startHint(const Settings& settings);

// Runs the bindings of the GLFW key `key`. `repeated`: the event comes from the keyboard's repeat.
void pressKey(Session& session, int key, bool control, bool repeated, bool shift = false);
// Whether a text field or a list that has the keyboard may use the key: all but function keys and Ctrl Q.
bool editsText(int key, bool control);
// Whether the keyboard navigation of the panels uses the key.
// With Ctrl, those that move are keys of the window.
bool navigates(int key, bool control = false);
// Whether the letter is the third one of a second, so that it may be text: says so once, and takes back what the others did.
bool asksWhetherText(Session& session, unsigned character, double nowS);
// Keys of the list of files, while it is shown.
void pressBrowserKey(Session& session, const InputEvent& event);
// Runs the bindings of a typed character.
void typeCharacter(Session& session, unsigned character, bool repeated);

}  // namespace satdof
