#pragma once
#include <algorithm>

#include "app/io/notes.h"

// Notes of readers that fill in what a file lacks.
namespace satdof {

inline constexpr const char* kDamagedNote = "it is truncated or damaged: what is missing is black";
inline constexpr const char* kNoEndNote = "it has no end: pixels at its bottom may be missing";

inline bool lacksPixels(const Notes& notes) {
  return std::ranges::any_of(
      notes, [](const std::string& note) { return note == kDamagedNote || note == kNoEndNote; });
}

}  // namespace satdof
