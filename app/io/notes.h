#pragma once
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace satdof {

// What a reader assumed, approximated or left out, one line each. If the path is known, a note begins with it: see
// inFile().
using Notes = std::vector<std::string>;

// Appends a note as one line, unless it exists. Text from a file must pass excerpt() first. After 32 notes, a last one
// tells that more are left out.
void addNote(Notes& notes, std::string_view text);
void addNotes(Notes& notes, const Notes& more);

// Prefixes each note with "FILE: ". Call once, where the path is known.
Notes inFile(const std::filesystem::path& path, const Notes& notes);

// Returns "x.png: a note" for "folder/x.png: a note"; also takes the folder out of `cannot read "folder/x.png": why`.
std::string withoutFolder(const std::string& note);

}  // namespace satdof
