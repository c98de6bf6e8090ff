#pragma once
#include <functional>
#include <stop_token>
#include <string>
#include <vector>

namespace satdof {

// Thrown by runTool() on the request to stop.
struct ToolStopped {};

// How runTool() watches a program.
struct ToolWatch {
  std::stop_token stop{};
  double silentS = 600.0;  // a program that says nothing for so long has failed
  // Called many times a second, with the last lines that the program has said. What it throws ends the program.
  std::function<void(const std::string& lines)> told = nullptr;
  bool errorsApart = false;  // what it writes to standard error is not told, but returned
};

// Runs a program that reads nothing, until it ends. Its process group ends with this call. Returns the last of its errors, or
// nothing. Throws std::runtime_error with the reason and the last line, "TOOL failed (status 3): no model"; on Windows
// always.
std::string runTool(const std::vector<std::string>& command, const ToolWatch& watch);

}  // namespace satdof
