#include "app/io/notes.h"

#include <algorithm>

#include "app/core/text/foreign_text.h"

namespace satdof {

namespace {

constexpr std::string_view kAfterFile = ": ";  // separates file and text of a note

}  // namespace

void addNote(Notes& notes, std::string_view text) {
  constexpr std::size_t kMax = 32, kMaxBytes = 1000;
  std::string line = printable(text, kMaxBytes);
  std::ranges::replace(line, '\n', ' ');
  if (notes.size() > kMax || std::ranges::find(notes, line) != notes.end()) return;
  notes.push_back(notes.size() < kMax ? line : "more notes are left out");
}

void addNotes(Notes& notes, const Notes& more) {
  for (const std::string& note : more) addNote(notes, note);
}

Notes inFile(const std::filesystem::path& path, const Notes& notes) {
  constexpr std::size_t kMaxPath = 400;
  std::string file = pathText(path, kMaxPath);
  for (std::size_t at; (at = file.find(kAfterFile)) != file.npos;) file.replace(at, kAfterFile.size(), ":\\x20");
  Notes found;
  for (const std::string& note : notes) addNote(found, file + std::string(kAfterFile) + note);
  return found;
}

std::string withoutFolder(const std::string& note) {
  std::size_t begin = 0, end = note.find(kAfterFile);
  if (const std::size_t open = note.find('"'), close = note.find("\": "); open < end && close != note.npos) {
    begin = open + 1;
    end = close;
  }
  const std::size_t slash = note.rfind('/', end);
  return slash == note.npos || slash < begin ? note : note.substr(0, begin) + note.substr(slash + 1);
}

}  // namespace satdof
