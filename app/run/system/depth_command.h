#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "app/core/settings.h"
#include "app/run/system/tool.h"

// Estimates the depth of a photograph by a program that the user names: 'TOOL {image} {depth}'.
namespace satdof {

// A command, split at spaces outside quotes. No shell runs. {image} stands for the photograph and {depth} for the
// file to write, a PNG; {depth.pfm} chooses another extension.
struct DepthCommand {
  std::vector<std::string> words;
  std::string extension = ".png";
  bool operator==(const DepthCommand&) const = default;
};

// Parses a command. Throws UsageError that begins with `where` if there is no program, no {image} or no {depth}, or
// if a quote has no end.
DepthCommand depthCommand(const std::string& where, const std::string& text);

// The files that the words name, also behind an equals sign: "--model=net.onnx".
std::vector<std::filesystem::path> filesOf(const DepthCommand& command);

// Whether the file exists and is a readable depth map.
bool holdsDepth(const std::filesystem::path& file);

// Whether the depth is the same at all pixels. Throws std::runtime_error if it cannot be read.
bool isFlatDepth(const std::filesystem::path& file);

// The cached depth for the contents of the photograph, the command, and the contents of filesOf() it; empty: none.
// Throws std::runtime_error if the photograph cannot be read.
std::filesystem::path cachedDepth(const DepthCommand& command, const std::filesystem::path& photo);

// The cached depth of the photograph by this command, which runs if there is none. A program that writes no depth,
// or one that is too large, has failed, and nothing is cached. Throws std::runtime_error and ToolStopped.
std::filesystem::path estimatedDepth(const DepthCommand& command, const std::filesystem::path& photo,
                                     const ToolWatch& watch);

// If the image has no depth, sets its cached depth by this command or, if `runs`, its estimatedDepth().
void estimateMissing(const DepthCommand& command, ImageSettings& image, bool runs, const ToolWatch& watch);

}  // namespace satdof
