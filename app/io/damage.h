#pragma once
#include <string>

#include "app/io/notes.h"

// Notes of readers about missing pixels.
namespace satdof {

inline constexpr const char* kDamagedNote = "it is truncated or damaged: what is missing is black";
inline constexpr const char* kNoEndNote = "it has no end: pixels at its bottom may be missing";
inline constexpr const char* kCutOffNote = "it is cut off: the missing part is black";
inline constexpr const char* kGreyRowsNote = "are missing or incomplete: grey";  // follows the rows

// Returns the first note that pixels are missing, without the name of the file; empty if there is none.
inline std::string damageOf(const Notes& notes) {
  for (const std::string& note : notes)
    for (const char* const damage : {kDamagedNote, kNoEndNote, kCutOffNote, kGreyRowsNote})
      if (note.ends_with(damage)) return damage == kGreyRowsNote ? note.substr(note.find("of its ")) : damage;
  return {};
}

inline bool lacksPixels(const Notes& notes) { return !damageOf(notes).empty(); }

}  // namespace satdof
