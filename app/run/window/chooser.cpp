#include "app/run/window/chooser.h"

#include <string>
#include <system_error>
#include <type_traits>
#include <utility>

#include "app/core/fields.h"
#include "app/core/file_names.h"
#include "app/scene/registry.h"

namespace satdof {

namespace {

namespace fs = std::filesystem;

// The folder of what the scene shows or of the newest image.
fs::path startFolder(const Session& session) {
  fs::path file;
  const std::string group = std::string("scene.") + sceneRow(session.settings.scene.kind).name + ".";
  describe(session.settings, [&]<class T>(const Field& field, const T& value) {
    if constexpr (std::is_same_v<T, FilePath>)
      if (file.empty() && field.path().starts_with(group)) file = value.text;
  });
  if (file.empty() && !session.preferences.recentImages.empty())
    file = session.preferences.recentImages.front().file.text;
  std::error_code unknown;
  const fs::path folder = folderOf(file);
  return !file.empty() && fs::is_directory(folder, unknown) ? folder : fs::current_path(unknown);
}

void browse(Session& session) {
  std::vector<fs::path> recent;
  for (const RecentImage& image : session.preferences.recentImages) recent.emplace_back(image.file.text);
  session.browser.open(startFolder(session), recent);
}

}  // namespace

bool Chooser::answered() {
  if (dialog_ && !answer_) answer_ = dialog_->answer();
  return answer_.has_value();
}

void Chooser::serve(Session& session, Opening& opening) {
  if (std::exchange(session.openNow, false) && !dialog_ && !session.browser.shown()) {
    dialog_ = showFileDialog(startFolder(session));
    if (!dialog_) browse(session);
  }
  if (answered()) {
    if (answer_->failed)
      browse(session);
    else
      session.opened = std::move(answer_->files);
    answer_.reset();
    dialog_.reset();
  }
  const std::vector<fs::path> files = std::exchange(session.opened, {});
  if (files.empty()) return;
  const std::string field = std::exchange(session.openFor, {});
  if (field.empty()) {
    opening.drop(session, files);
    return;
  }
  describe(session.settings, [&]<class T>(const Field& each, T& value) {
    if constexpr (std::is_same_v<T, FilePath>)
      if (each.path() == field) value.text = files.front().string();
  });
}

}  // namespace satdof
