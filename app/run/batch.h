#pragma once
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "app/run/command_line/command_line.h"

namespace satdof {

// Whether an option of files names several files or a folder.
bool isBatch(const CommandLine& line);

// Returns one command line for each file of the first option. A folder stands for the files in it that a scene can
// show, sorted by name, without depths of other files and, with a note, without captures (leaveOutCaptures()). If a
// second option, such as --depth, names a folder, each file gets the one with its stem; if it names one file, all get
// this file. Outputs are suffixed by the stem of the file: out.png becomes out-a.png for a.jpg. Throws UsageError if
// the numbers of files differ or a folder is empty.
std::vector<CommandLine> batchOf(const CommandLine& line);

// Returns the files in a folder that a scene can show, without depths and captures of others, by their stem. Throws
// UsageError that begins with `option` if there are none.
std::map<std::string, std::string> filesByStem(const std::string& option, const std::string& folder);

// Whether the file of --settings shows this image.
bool settingsShow(const CommandLine& line, const std::string& image);

// Whether an option says how a depth is read.
bool saysReading(const std::pair<std::string, std::string>& option);

// Without --depth, sets the depth of the photograph to depthBeside(), which may be none: a remembered depth, or the
// depth of settings that show another image, belongs to another photograph. A corrected depth is read by default: the
// options that say how a depth is read are left out, with a note.
void useDepthBeside(CommandLine& line, const std::string& photo);

// Gives the settings the size of the image file that their scene shows, unless the command line chooses a size or
// settings. Throws std::runtime_error if the file cannot be read.
void useImageSize(const CommandLine& line, Settings& settings);

}  // namespace satdof
