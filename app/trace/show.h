#pragma once
#include <string>
#include <vector>

#include "app/trace/player.h"

// What the window plays in slow motion: a kernel, or two side by side; and the lessons.
namespace satdof::trace {

// A place in a lesson where the play waits, with what there is to see.
struct Stop {
  // aggregate, inclusive: a word of such a state has been written for the tile `number`.
  enum class At { start, barrier, launch, conflict, aggregate, inclusive, end };
  At at = At::start;
  unsigned number = 1;  // of the barrier that comes next, of the launch that has been passed, or of the tile
  // {passes} stands for a count of the play here, {beside.passes} for one of the second kernel.
  std::string text = {};
};

struct Lesson {
  std::string title;
  Request request;
  std::string beside;       // a second kernel; empty: none
  int besideBlockSize = 0;  // threads of a block of `beside`; 0: as in `request`
  std::vector<Stop> stops;
};

// The lessons in assets/lessons, in the order of their file names. Throws std::runtime_error with the file and the reason.
std::vector<Lesson> lessons();
// One lesson from JSON. Throws std::runtime_error with the reason.
Lesson lessonFrom(const std::string& text);

// Where the stop is in a play.
std::size_t positionOf(const Stop& stop, const Player& player);

// One or two players that go on together.
class Show {
 public:
  // Throws what record() throws.
  Show(const Request& request, const std::string& beside, int besideBlockSize = 0);

  std::vector<Player>& players() { return players_; }
  const std::vector<Player>& players() const { return players_; }
  bool atEnd() const;
  // Goes `by` units on, or back if `by` is negative.
  void step(Unit unit, int by);
  // 0 to 1: the part of the first play that has passed.
  float part() const;
  void seek(float part);
  void seek(const Stop& stop);
  // The text of a stop with the counts of the plays as they stand. Throws std::runtime_error for an unknown count.
  std::string textOf(const Stop& stop) const;

 private:
  std::vector<Player> players_;
};

}  // namespace satdof::trace
