#pragma once
#include <cstddef>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>

#include "app/core/settings.h"
#include "app/core/shot/shot.h"

// JSON files that remember the state of windows.
namespace satdof {

using StateJson = nlohmann::json;

constexpr std::size_t kMaxStateBytes = std::size_t{1} << 24;

// Whether there is no such file. False for a loop of links or an unreadable folder: reading the file reports those.
bool isMissing(const std::filesystem::path& path);

// Throws std::runtime_error if the file cannot be read, is too long, is no JSON or is nested too deeply.
StateJson readStateFile(const std::filesystem::path& path, std::size_t mostBytes = kMaxStateBytes);

// Writes a file, unless it holds these bytes already. Creates the folder. Throws std::runtime_error.
void writeStateFile(const std::filesystem::path& path, const std::string& bytes);

StateJson jsonOf(const Settings& settings);
StateJson jsonOf(const Shot& shot);  // null if the shot is empty

// Calls act(), which reads JSON. Returns false if it throws std::runtime_error or the JSON has another form.
template <class Act>
bool reads(const Act& act) {
  try {
    act();
    return true;
  } catch (const StateJson::exception&) {
    return false;
  } catch (const std::runtime_error&) {
    return false;
  }
}

}  // namespace satdof
