#pragma once
#include <functional>
#include <stop_token>
#include <string>
#include <vector>

namespace satdof {

// Thrown by runTool() on the request to stop.
struct ToolStopped {};

struct ToolWatch {
  std::stop_token stop{};
  double silentS = 600.0;  // a program that writes nothing for so long has failed
  // Called many times a second, with the last lines of the output. An exception ends the program.
  std::function<void(const std::string& lines)> onOutput = nullptr;
  bool errorsApart = false;  // standard error is not passed to `onOutput`, but returned
};

// Runs a program without input until it ends, and kills the rest of its process group. Returns the last line of
// standard error if `errorsApart`, else an empty string. Throws ToolStopped, or std::runtime_error with the reason and
// the last line, "TOOL failed (status 3): no model". On Windows always throws.
std::string runTool(const std::vector<std::string>& command, const ToolWatch& watch);

}  // namespace satdof
