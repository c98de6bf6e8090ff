#pragma once
#include <glm/vec2.hpp>
#include <set>
#include <vector>

namespace satdof {

// One input event of the window.
struct InputEvent {
  enum class Kind { key, keyUp, character, press, release, move, leave, scroll } kind;
  int code = 0;  // GLFW key, mouse button, or character
  bool shift = false, control = false, alt = false, repeated = false;
  glm::vec2 at{0.0f};  // screen coordinates from the top left, or scroll steps
  int scancode = 0;    // of a key
};

// Distributes events over frames, in order, such that every press lasts at least one frame: a key or button that goes
// down in one frame goes up in a later one, at any frame rate. Dear ImGui before 1.87 reads keys and buttons once a
// frame and would miss shorter presses.
class InputQueue {
 public:
  void push(const InputEvent& event) { waiting_.push_back(event); }
  bool empty() const { return waiting_.empty(); }
  // Whether an event waits that acts: a key other than a modifier, a button, a character or the wheel.
  bool acts() const;
  // Returns the events of the next frame.
  std::vector<InputEvent> take();
  // Whether the key is down in the frame of the last take().
  bool held(int key) const { return held_.contains(key); }
  // Whether it is, and went down without Ctrl: of Ctrl+O, Ctrl may go up first.
  bool heldAlone(int key) const { return held(key) && !withControl_.contains(key); }
  // Whether a button or a key other than a modifier is down in that frame.
  bool holding() const;

 private:
  std::vector<InputEvent> waiting_;
  std::set<int> held_, heldButtons_;
  std::set<int> withControl_;  // of held_, keys that went down with Ctrl
};

}  // namespace satdof
