#pragma once
#include <optional>
#include <span>
#include <string>

#include "app/ui/session.h"

namespace satdof {

// A number of a ready-made shot.
struct ReadyNumber {
  float ReadyNumbers::*value;
  float min, max, step;               // of its slider
  const char *format, *formatOfZero;  // formatOfZero: empty, or shown for 0
  const char* help;
};

// A shot of one click, from the playhead on, for ReadyNumbers::lengthS seconds.
struct ReadyShot {
  const char* name;
  const char* help;
  std::string (*missing)(const Session& session);  // why it cannot be made; empty: it can
  void (*make)(Session& session);
  std::optional<ReadyNumber> number{};
};
std::span<const ReadyShot> readyShots();

// Sets two keys of the focus, from the playhead on.
void addPull(Session& session, float fromM, float toM, float lengthS);

// Call in every frame. Makes the rack focus that waits for a click, once the focus of the click is known.
void finishRackFocus(Session& session, bool focusKnown);

}  // namespace satdof
