#pragma once
#include <string>
#include <vector>

#include "app/run/remembered/state_file.h"
#include "app/ui/preferences.h"

namespace satdof {

// The contents of interface.json.
StateJson preferencesJson(const Preferences& preferences);

// Reads preferencesJson(). Values that are missing or cannot be read stay. Returns the names of those that cannot be
// read. Throws std::runtime_error if `json` is no object.
std::vector<std::string> readPreferences(Preferences& preferences, const StateJson& json);

}  // namespace satdof
