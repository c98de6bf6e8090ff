#pragma once
#include "app/run/remembered/state_file.h"

// Three-way merges of JSON: the changes of a window, from `before` to `own`, are applied to a file that other windows
// write, too.
namespace satdof {

// Returns `file` with the changes from `before` to `own`. Objects merge key by key, unless their files, depth or
// settings differ: then `own` replaces them, because their values belong together.
StateJson merged(const StateJson& own, const StateJson& before, const StateJson& file);

// merged() for preferencesJson(): bookmarks and focus marks have a fixed number of slots. Recent images that this
// window has shown since come first, newest first; the others are as in `file`.
StateJson mergedPreferences(const StateJson& own, const StateJson& before, const StateJson& file);

}  // namespace satdof
