#pragma once
#include <span>
#include <string>

#include "app/ui/session.h"

namespace satdof {

// A shot of one click, from the playhead on, for Timeline::readyS seconds.
struct ReadyShot {
  const char* name;
  const char* help;
  std::string (*missing)(const Session& session);  // why it cannot be made; empty: it can
  void (*make)(Session& session);
};
std::span<const ReadyShot> readyShots();

// Sets two keys of the focus, from the playhead on.
void addPull(Session& session, float fromM, float toM, float lengthS);

// Call in every frame. Makes the pull of the focus that waits for a click, once the focus of the click is known.
void followPull(Session& session, bool focusKnown);

}  // namespace satdof
