#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "app/core/settings.h"
#include "app/run/system/tool.h"

// Depth of a photograph by a program that the user names: 'TOOL {image} {depth}'.
namespace satdof {

// The words of a command: between spaces, quotes join. {image} is the photograph, {depth} the file to write, {depth.pfm}
// the same with another extension than .png. No shell runs.
struct DepthCommand {
  std::vector<std::string> words;
  std::string extension = ".png";
  bool operator==(const DepthCommand&) const = default;
};

// Throws UsageError that begins with `where` if there is no program, no {image} or no {depth}, or if a quote has no end.
DepthCommand depthCommand(const std::string& where, const std::string& text);

// Whether a file gives a depth.
bool holdsDepth(const std::filesystem::path& file);

// The depth that the cache holds for the photograph and the command; empty: none. Throws std::runtime_error if the
// photograph cannot be read.
std::filesystem::path cachedDepth(const DepthCommand& command, const std::filesystem::path& photo);

// The same, but runs the command if there is none. A program that writes no depth, or too much, has failed: nothing is kept
// of it. Throws std::runtime_error and ToolStopped.
std::filesystem::path estimatedDepth(const DepthCommand& command, const std::filesystem::path& photo,
                                     const ToolWatch& watch);

// Gives an image without depth the one that the cache holds for the command or, if `runs`, that the command estimates.
void estimateMissing(const DepthCommand& command, ImageSettings& image, bool runs, const ToolWatch& watch);

}  // namespace satdof
