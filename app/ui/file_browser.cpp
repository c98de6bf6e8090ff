#include "app/ui/file_browser.h"

#include <algorithm>
#include <iterator>
#include <system_error>

#include "app/core/file_names.h"
#include "app/core/letters.h"
#include "app/scene/scene_files.h"

namespace satdof {

namespace {

namespace fs = std::filesystem;

std::string nameOf(const fs::path& path) { return lowerCase(path.filename().string()); }

}  // namespace

void FileBrowser::open(const fs::path& folder, const std::vector<fs::path>& recent) {
  recent_.clear();
  saves_ = false;
  for (const fs::path& file : recent)  // one may come with several depths
    if (isRegularFile(file) && std::ranges::find(recent_, file) == recent_.end()) recent_.push_back(file);
  show(folder);
  shown_ = true;
}

void FileBrowser::save(const fs::path& file) {
  fs::path folder = folderOf(file);
  while (!isFolder(folder) && folderOf(folder) != folder) folder = folderOf(folder);
  open(folder, {});
  saves_ = true;
  filter_ = file.filename().string();
  replaced_.clear();
  applyFilter();
}

void FileBrowser::show(const fs::path& folder) {
  const fs::path whole = absolutePath(folder).lexically_normal();
  folder_ = whole.has_filename() || !whole.has_parent_path() ? whole : whole.parent_path();
  if (!saves_) filter_.clear();
  all_.clear();
  for (const fs::path& file : recent_) all_.push_back({Kind::recent, file});
  std::error_code failed;
  for (fs::path& path : entriesOf(folder_, failed)) {
    const Kind kind = isFolder(path) ? Kind::folder : Kind::file;
    if (!nameOf(path).starts_with('.') && (kind == Kind::folder || opens(path)))
      all_.push_back({kind, std::move(path)});
  }
  problem_ = failed ? "Not readable: " + failed.message() : "";
  const auto place = [](const Entry& entry) { return std::pair(entry.kind, nameOf(entry.path)); };
  std::stable_sort(all_.begin() + static_cast<std::ptrdiff_t>(recent_.size()), all_.end(),
                   [&](const Entry& a, const Entry& b) { return place(a) < place(b); });
  applyFilter();
}

void FileBrowser::applyFilter() {
  entries_.clear();
  std::ranges::copy_if(all_, std::back_inserter(entries_), [&](const Entry& entry) {
    return saves_ || nameOf(entry.path).find(lowerCase(filter_)) != std::string::npos;
  });
  selected_ = saves_ ? entries_.size() : 0;
}

void FileBrowser::move(int steps) {
  moved_ = true;
  const auto size = static_cast<std::ptrdiff_t>(entries_.size()),
             from = static_cast<std::ptrdiff_t>(selected_);
  selected_ = static_cast<std::size_t>(std::clamp<std::ptrdiff_t>((from < size ? from : -1) + steps, 0,
                                                                  std::max<std::ptrdiff_t>(size - 1, 0)));
}

std::optional<fs::path> FileBrowser::enter() {
  const bool none = selected_ >= entries_.size();
  if (saves_ && (none || entries_[selected_].kind == Kind::file)) {
    if (!none) filter_ = entries_[selected_].path.filename().string();
    saveNamed();
    return std::nullopt;
  }
  if (none) return std::nullopt;
  const Entry entry = entries_[selected_];
  if (entry.kind != Kind::folder) {
    shown_ = false;
    return entry.path;
  }
  recent_.clear();
  show(entry.path);
  return std::nullopt;
}

void FileBrowser::saveNamed() {
  const fs::path file = folder_ / filter_;
  if (filter_.empty()) {
    problem_ = "The name is missing";
  } else if (file != replaced_ && isThere(file)) {
    problem_ = "\"" + filter_ + "\" exists: once more replaces it";
    replaced_ = file;
  } else {
    saved_ = file;
    shown_ = false;
  }
}

void FileBrowser::up() {
  const fs::path from = folder_;
  recent_.clear();
  show(folder_.parent_path());
  const auto found = std::ranges::find(entries_, from, &Entry::path);
  if (found != entries_.end()) {
    selected_ = static_cast<std::size_t>(found - entries_.begin());
    moved_ = true;
  }
}

void FileBrowser::type(int character) {
  constexpr int kSpace = 32, kDelete = 127;
  if (character < kSpace || character >= kDelete) return;
  if (saves_) problem_.clear();
  filter_ += static_cast<char>(character);
  applyFilter();
}

void FileBrowser::backspace() {
  if (filter_.empty()) {
    up();
    return;
  }
  filter_.pop_back();
  applyFilter();
}

void FileBrowser::escape() {
  if (filter_.empty() || saves_) shown_ = false;
  filter_.clear();
  applyFilter();
}

}  // namespace satdof
