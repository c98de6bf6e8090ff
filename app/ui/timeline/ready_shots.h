#pragma once
#include <optional>
#include <span>
#include <string>

#include "app/ui/session.h"

namespace satdof {

// The parameter of a ready-made shot.
struct ReadyNumber {
  float ReadyNumbers::*value;
  float min, max, step;               // slider
  const char *format, *formatOfZero;  // formatOfZero: text for 0; empty: `format`
  const char* help;
};

// A shot that one click makes, from the playhead on, for ReadyNumbers::lengthS seconds.
struct ReadyShot {
  const char* name;
  const char* help;
  std::string (*missing)(const Session& session);  // returns why the shot cannot be made; empty if it can
  void (*make)(Session& session);
  std::optional<ReadyNumber> number{};
};
std::span<const ReadyShot> readyShots();

// Sets two keys of the focus: `fromM` at the playhead, `toM` after `lengthS` seconds.
void addPull(Session& session, float fromM, float toM, float lengthS);

// Call in every frame. Makes a rack focus that waits for a click, once the focus at the click is known.
void finishRackFocus(Session& session, bool focusKnown);

}  // namespace satdof
