#include "app/ui/photographs/file_browser.h"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

#include <algorithm>
#include <stdexcept>
#include <system_error>
#include <utility>

#include "app/core/files/file_names.h"
#include "app/core/system/platform.h"
#include "app/core/text/letters.h"
#include "app/io/codec.h"
#include "app/io/depth_image.h"
#include "app/scene/scene_files.h"

namespace satdof {

namespace {

namespace fs = std::filesystem;

std::string nameOf(const fs::path& path) { return lowerCase(path.filename().string()); }

// Whether the name may be a pattern of numbered files, such as f_%04d.png. Opening it tells whether they exist.
bool mayBeFrames(const fs::path& path) { return path.filename().string().find('%') != std::string::npos; }

// Replaces ~ at the beginning by the home folder.
fs::path fromHome(const fs::path& path) {
  return path.empty() || *path.begin() != "~" ? path : userHome() / path.lexically_relative("~");
}

}  // namespace

void FileBrowser::open(const fs::path& folder, const std::vector<fs::path>& recent, bool depths) {
  recent_.clear();
  saves_ = false;
  depths_ = depths;
  for (const fs::path& file : recent)  // an image may be listed with several depths
    if (std::ranges::find(recent_, file) == recent_.end()) recent_.push_back(file);
  recentInquiry_.ask("", [files = recent_] {
    auto found = files;
    std::erase_if(found, [](const fs::path& file) { return !isRegularFile(file); });
    return found;
  });
  show(folder);
  shown_ = true;
}

void FileBrowser::save(const fs::path& file, Refusal refusal) {
  refusal_ = std::move(refusal);
  forgetRecent();
  saves_ = shown_ = depths_ = true;
  proposed_ = file.filename();
  proposeName();
  replaceable_.clear();
  show(folderOf(file), true);
}

void FileBrowser::show(const fs::path& folder, bool orParent) {
  const fs::path whole = absolutePath(folder).lexically_normal();
  folder_ = whole.has_filename() || !whole.has_parent_path() ? whole : whole.parent_path();
  if (!saves_) filter_.clear();
  all_.clear();
  problem_ = "Reading the folder ...";
  applyFilter();
  inquiry_.ask("", [folder = folder_, orParent, depths = depths_] {
    fs::path found = folder;
    while (orParent && !isFolder(found) && folderOf(found) != found) found = folderOf(found);
    return [listing = listed(found, depths)](FileBrowser& browser) { browser.take(listing); };
  });
  serve(Inquiry<Answer>::kMoment);
}

FileBrowser::Listing FileBrowser::listed(const fs::path& folder, bool depths) {
  Listing listing{folder, {}, {}};
  std::error_code failed;
  std::vector<fs::path> files;
  for (fs::path& path : entriesOf(folder, failed)) {
    if (nameOf(path).starts_with('.')) continue;
    if (isFolder(path))
      listing.entries.push_back({Kind::folder, std::move(path)});
    else if (opens(path))
      files.push_back(std::move(path));
  }
  if (!depths) leaveOutDepths(files);
  for (fs::path& file : files) listing.entries.push_back({Kind::file, std::move(file)});
  if (failed) listing.problem = "Not readable: " + failed.message();
  std::ranges::stable_sort(listing.entries, {},
                           [](const Entry& entry) { return std::pair(entry.kind, nameOf(entry.path)); });
  return listing;
}

void FileBrowser::take(const Listing& listing) {
  folder_ = listing.folder;
  all_ = listing.entries;
  problem_ = listing.problem;
  applyFilter();
  const auto found = std::ranges::find(entries_, std::exchange(leftFolder_, {}), &Entry::path);
  if (found == entries_.end()) return;
  selected_ = static_cast<std::size_t>(found - entries_.begin());
  moved_ = true;
}

void FileBrowser::serve(std::chrono::milliseconds timeout) {
  try {
    if (auto exist = recentInquiry_.take(timeout); exist && *exist != recent_) {
      recent_ = *std::move(exist);
      applyFilter();
    }
    if (const auto answer = inquiry_.take(timeout)) (*answer)(*this);
  } catch (const std::runtime_error& error) {
    problem_ = error.what();
  }
}

void FileBrowser::applyFilter() {
  entries_.clear();
  const auto add = [&](const Entry& entry) {
    if (saves_ || nameOf(entry.path).find(lowerCase(filter_.text())) != std::string::npos) entries_.push_back(entry);
  };
  for (const fs::path& file : recent_) add({Kind::recent, file});
  std::ranges::for_each(all_, add);
  selected_ = saves_ ? entries_.size() : 0;
}

void FileBrowser::move(int steps) {
  moved_ = true;
  const auto size = static_cast<std::ptrdiff_t>(entries_.size()), from = static_cast<std::ptrdiff_t>(selected_);
  selected_ = static_cast<std::size_t>(
      std::clamp<std::ptrdiff_t>((from < size ? from : -1) + steps, 0, std::max<std::ptrdiff_t>(size - 1, 0)));
}

std::optional<fs::path> FileBrowser::enter() {
  const bool none = selected_ >= entries_.size();
  if (saves_ && (none || entries_[selected_].kind == Kind::file)) {
    none ? completeName() : filter_.set(entries_[selected_].path.filename().string(), 0);
    saveNamed();
    return std::nullopt;
  }
  if (holdsPath()) openPath();
  if (none) return std::nullopt;
  const Entry entry = entries_[selected_];
  if (entry.kind != Kind::folder) {
    close();
    return entry.path;
  }
  forgetRecent();
  show(entry.path);
  return std::nullopt;
}

void FileBrowser::proposeName() { filter_.set(proposed_.string(), proposed_.stem().string().size()); }

void FileBrowser::completeName() {
  const fs::path name = filter_.text(), stem = name.stem(), extension = proposed_.extension();
  if (name.has_parent_path() && name.filename() == extension)  // a folder was typed before the extension
    return filter_.set((name.parent_path() / "").string(), 0);
  if (name.has_filename() && name.extension().empty()) filter_.set(name.string() + extension.string(), 0);
  const Codec* const codec = codecByExtension(stem);
  const bool typed = stem.extension() == extension || (codec != nullptr && codec->isWritten());
  if (!extension.empty() && name.extension() == extension && typed)
    filter_.set((name.parent_path() / stem).string(), 0);
}

fs::path FileBrowser::named() const { return (folder_ / fromHome(filter_.text())).lexically_normal(); }

void FileBrowser::saveNamed() {
  const fs::path file = named();
  if (filter_.text().empty()) {
    problem_ = "The name is missing";
  } else if (file == replaceable_) {
    replaceOrSave(file, true, false);
  } else {
    inquiry_.ask("", [file, refusal = refusal_]() -> Answer {
      if (isFolder(file))
        return [file](FileBrowser& browser) {
          browser.proposeName();
          browser.show(file);
        };
      const bool isIn = isFolder(folderOf(file)), exists = isThere(file);
      const std::string refused = exists && refusal ? refusal(file) : "";
      return [=](FileBrowser& browser) { browser.replaceOrSave(file, isIn, exists, refused); };
    });
    problem_ = "Looking for \"" + filter_.text() + "\" ...";
    serve(Inquiry<Answer>::kMoment);
  }
}

void FileBrowser::replaceOrSave(const fs::path& file, bool folderExists, bool exists, const std::string& refused) {
  if (file != named()) return;  // the name has changed since
  if (!folderExists) {
    problem_ = "There is no folder " + folderOf(file).string();
  } else if (!refused.empty()) {
    problem_ = refused;
  } else if (exists) {
    problem_ = "\"" + file.filename().string() + "\" exists: once more replaces it";
    replaceable_ = file;
  } else {
    chosen_ = file;
    close();
  }
}

void FileBrowser::openPath() {
  const fs::path path = filter_.text();
  inquiry_.ask("", [path] {
    return [path, folder = isFolder(path), exists = isThere(path)](FileBrowser& browser) {
      if (folder) return browser.show(path);
      if (!exists && !mayBeFrames(path)) {
        browser.problem_ = "No such file";
        return;
      }
      browser.chosen_ = path;
      browser.close();
    };
  });
  serve(Inquiry<Answer>::kMoment);
}

void FileBrowser::up() {
  leftFolder_ = folder_;
  forgetRecent();
  show(folder_.parent_path());
}

void FileBrowser::forgetRecent() {
  recent_.clear();
  recentInquiry_.leave();
}

void FileBrowser::forgetProblem() {
  if (saves_ || holdsPath()) problem_.clear();
}

void FileBrowser::type(int character) {
  constexpr int kSpace = 32, kDelete = 127;
  if (character < kSpace || character >= kDelete) return;
  forgetProblem();
  filter_.insert({static_cast<char>(character)});
  applyFilter();
}

void FileBrowser::erase(int side) {
  forgetProblem();
  filter_.erase(side);
  applyFilter();
}

void FileBrowser::escape() {
  forgetProblem();
  if (filter_.text().empty() || saves_) close();
  filter_.clear();
  applyFilter();
}

std::optional<fs::path> FileBrowser::press(const InputEvent& event) {
  constexpr int kPage = 10, kAll = 1 << 20;
  constexpr std::pair<int, int> kMoves[] = {{GLFW_KEY_UP, -1},          {GLFW_KEY_DOWN, 1},
                                            {GLFW_KEY_PAGE_UP, -kPage}, {GLFW_KEY_PAGE_DOWN, kPage},
                                            {GLFW_KEY_HOME, -kAll},     {GLFW_KEY_END, kAll}};
  struct TextKey {
    int key;
    void (*act)(FileBrowser& browser, bool shift);
  };
  static constexpr TextKey kTextKeys[] = {
      {GLFW_KEY_HOME, [](auto& browser, bool shift) { browser.line().moveToStart(shift); }},
      {GLFW_KEY_END, [](auto& browser, bool shift) { browser.line().moveToEnd(shift); }},
      {GLFW_KEY_LEFT, [](auto& browser, bool shift) { browser.line().move(-1, shift); }},
      {GLFW_KEY_RIGHT, [](auto& browser, bool shift) { browser.line().move(1, shift); }},
      {GLFW_KEY_BACKSPACE, [](auto& browser, bool) { browser.erase(-1); }},
      {GLFW_KEY_DELETE, [](auto& browser, bool) { browser.erase(1); }},
      {GLFW_KEY_ESCAPE, [](auto& browser, bool) { browser.escape(); }},
  };
  const int key = event.code;
  if (event.alt && key == GLFW_KEY_UP) {
    up();
    return std::nullopt;
  }
  if (event.control && key == GLFW_KEY_A) {
    filter_.selectAll();
    return std::nullopt;
  }
  const bool ends = key == GLFW_KEY_HOME || key == GLFW_KEY_END;
  for (const auto& [moveKey, by] : kMoves)
    if (key == moveKey && !(ends && saves_)) move(by);
  for (const TextKey& row : kTextKeys)
    if (key == row.key && !(ends && !saves_)) row.act(*this, event.shift);
  return key == GLFW_KEY_ENTER || key == GLFW_KEY_KP_ENTER ? enter() : std::nullopt;
}

}  // namespace satdof
