#pragma once
#include <filesystem>
#include <optional>
#include <string>

#include "app/ui/session.h"

namespace satdof {

// Requests of keys and panels (app/ui/command.h). They throw std::runtime_error.
void saveSettings(Session& session, const std::filesystem::path& asked);
void deletePreset(Session& session, const std::filesystem::path& path);
void saveShot(Session& session, const std::filesystem::path& path);

// Says that writeWithTimeout() has written a file, as Session::saySaved() does with `what`, or if `written` is empty
// that it is still being written.
void tellWritten(Session& session, const std::filesystem::path& asked,
                 const std::optional<std::filesystem::path>& written, const std::string& what = "");

}  // namespace satdof
