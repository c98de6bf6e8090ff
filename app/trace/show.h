#pragma once
#include <string>
#include <vector>

#include "app/trace/player.h"

// Plays of one kernel, or of two side by side, and the lessons: the slow motion of the window.
namespace satdof::trace {

// A stop of a lesson, with its explanation.
struct Stop {
  // Before barrier `number`; after launch `number`; after the step with the most bank conflicts; after the tile word of
  // tile `number` became an aggregate or an inclusive prefix.
  enum class Event { start, barrier, launch, conflict, aggregate, inclusive, end };
  Event event = Event::start;
  unsigned number = 1;
  // {passes} is replaced by that count so far, {beside.passes} by the count of the second kernel.
  std::string text = {};
};

struct Lesson {
  std::string title;
  Request request;
  std::string beside;       // second kernel; empty: none
  int besideBlockSize = 0;  // threads of a block of `beside`; 0: as in `request`
  std::vector<Stop> stops;
};

// Returns the lessons in assets/lessons, in the order of their file names. Throws std::runtime_error with the file and
// the reason.
std::vector<Lesson> lessons();
// Returns a lesson from JSON. Throws std::runtime_error with the reason.
Lesson lessonFrom(const std::string& text);

// Returns the position of a stop; player.end() if its event does not occur.
std::size_t positionOf(const Stop& stop, const Player& player);

// One or two players that advance together.
class Show {
 public:
  // Throws what record() throws.
  Show(const Request& request, const std::string& beside, int besideBlockSize = 0);

  std::vector<Player>& players() { return players_; }
  const std::vector<Player>& players() const { return players_; }
  bool atEnd() const;
  // Goes on by `count` units; back if `count` is negative.
  void step(Unit unit, int count);
  // Position of the first player, 0 to 1.
  float progress() const;
  void seek(float progress);
  void seek(const Stop& stop);
  // Returns the text of a stop with the current counts of the players. Throws std::runtime_error for an unknown count.
  std::string textOf(const Stop& stop) const;

 private:
  std::vector<Player> players_;
};

}  // namespace satdof::trace
