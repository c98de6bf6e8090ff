#include "app/run/remembered/state_file.h"

#include <system_error>

#include "app/core/field_json.h"
#include "app/core/files/file_names.h"
#include "app/core/files/files.h"
#include "app/core/settings_json.h"
#include "app/core/shot/shot_json.h"
#include "app/core/text/foreign_text.h"

namespace satdof {

namespace fs = std::filesystem;

bool isMissing(const fs::path& path) {
  std::error_code unknown;
  return fs::status(path, unknown).type() == fs::file_type::not_found;
}

StateJson readStateFile(const fs::path& path, std::size_t mostBytes) {
  constexpr int kMaxDepth = 32;  // of nested values: the parser is recursive
  const std::string text = readWholeFile(path, mostBytes);
  StateJson json;
  if (!json::isShallow(text, kMaxDepth) || !reads([&] { json = StateJson::parse(text); }))
    throw std::runtime_error(pathText(path) + " is damaged");
  return json;
}

void writeStateFile(const fs::path& path, const std::string& bytes) {
  try {
    if (readFileHead(path, bytes.size() + 1) == bytes) return;
  } catch (const std::runtime_error&) {  // no file, or one that writing reports
  }
  createFolders(path.parent_path());
  writeWholeFile(path, bytes);
}

StateJson jsonOf(const Settings& settings) { return StateJson::parse(settingsToJson(settings)); }
StateJson jsonOf(const Shot& shot) { return shot == Shot{} ? StateJson() : StateJson::parse(shotToJson(shot)); }

}  // namespace satdof
