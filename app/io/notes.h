#pragma once
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace satdof {

// What a reader assumed, approximated or left out: one line each. Notes of a reader that knows its file begin with it.
using Notes = std::vector<std::string>;

// Appends the text as one line, unless it is there. Texts of a file go through excerpt() first. After 32 notes a last one
// says that more are left out.
void addNote(Notes& notes, std::string_view text);
void addNotes(Notes& notes, const Notes& more);

// Puts "FILE: " before each note. Call once, where the path is known.
Notes inFile(const std::filesystem::path& path, const Notes& notes);

// "folder/x.png: a note" -> "x.png: a note".
std::string withoutFolder(const std::string& note);

}  // namespace satdof
