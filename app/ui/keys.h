#pragma once
#include <span>
#include <string>

#include "app/ui/session.h"

// The table of key bindings with their help texts.
namespace satdof {

// When a binding acts.
enum class Trigger {
  press,   // once for each press
  repeat,  // for each press and each repeat of the keyboard
  hold,    // every frame while the key is down
};

struct KeyBinding {
  const char* group = nullptr;  // title of this and the following bindings; null: the previous title
  const char* keys = nullptr;   // text in the key help; null: described by the previous binding
  const char* help = nullptr;
  const char* typed = "";  // characters; act() gets the index of the typed character
  int key = 0;             // GLFW key, or 0; act() gets -1
  // Number of consecutive keys from `key` on; if several, act() gets the index of the pressed key.
  int keyCount = 1;
  bool control = false;  // `key` needs Ctrl
  bool shift = false;    // with Ctrl, `key` also needs Shift
  Trigger trigger = Trigger::press;
  void (*act)(Session& session, int index) = nullptr;  // null: help only; the mouse or Dear ImGui acts
};

std::span<const KeyBinding> keyBindings();

// Returns the hint of a new window: what to try first.
std::string startHint(const Settings& settings);

// Runs the bindings of the GLFW key `key`. `repeated`: the event comes from the keyboard's repeat.
void pressKey(Session& session, int key, bool control, bool repeated, bool shift = false);
// Whether a text field or a list that has the keyboard takes the key: all but function keys and Ctrl Q.
bool editsText(int key, bool control);
// Whether the keyboard navigation of the panels takes the key. Ctrl with an arrow, Home, End or a page key belongs to
// the window.
bool navigates(int key, bool control = false);
// Detects text that is typed where letters are keys: the third letter within a second. The first time, says how to
// undo.
void askWhetherText(Session& session, unsigned character, double nowS);
// Runs the bindings of a typed character.
void typeCharacter(Session& session, unsigned character, bool repeated);

}  // namespace satdof
