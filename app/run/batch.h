#pragma once
#include <vector>

#include "app/run/command_line.h"

namespace satdof {

// Whether the options of files name several files or a folder.
bool isBatch(const CommandLine& line);

// Returns one command line for each file. A folder stands for its files that a scene can show, by name, without depths beside them; in the folder of
// a second option, such as --depth, the file with the same name but for the extension belongs to each. One file of a
// second option belongs to all. The files written get the name of the file read: out.png, a.jpg -> out-a.png. Throws
// UsageError if the numbers of files differ, a folder is empty, or a file has no partner.
std::vector<CommandLine> batchOf(const CommandLine& line);

// Without --depth, sets the depth of the photograph to the depthBeside() it, or to none; a depth that the window remembers goes.
void useDepthBeside(CommandLine& line, const std::string& photo);

// Gives the settings the size of the image file that their scene shows, unless the command line chooses a size or
// settings. Throws std::runtime_error if the file cannot be read.
void useImageSize(const CommandLine& line, Settings& settings);

}  // namespace satdof
