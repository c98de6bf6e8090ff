#include "app/run/remembered/undo_file.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <memory>
#include <stdexcept>
#include <system_error>
#include <utility>

#include "app/core/settings_json.h"
#include "app/core/shot/shot_json.h"
#include "app/run/remembered/state_file.h"

namespace satdof {

namespace {

constexpr std::size_t kMaxUndoBytes = std::size_t{1} << 22;

// Applies a patch of StateJson::diff(). Throws std::runtime_error for "copy" and "move", with which a damaged file
// could double its values with each change.
StateJson patched(const StateJson& json, const StateJson& changes) {
  constexpr std::array kKinds = {"add", "remove", "replace"};
  for (const StateJson& change : changes)
    if (std::ranges::find(kKinds, change.at("op")) == kKinds.end())
      throw std::runtime_error("a change of another kind");
  return json.patch(changes);
}

std::string compactText(const StateJson& json) {
  return json.dump(-1, ' ', false, StateJson::error_handler_t::replace);
}

// A step of undo.json. `settings`, `shot`: patches from the step before.
StateJson stepJson(const UndoStep& step, const StateJson& settings, const StateJson& shot) {
  return {{"settings", settings}, {"shot", shot}, {"time", step.shotTimeS}, {"action", step.action}};
}

// The steps of undo.json. Throws StateJson::exception or std::runtime_error if the file is damaged.
std::vector<UndoStep> stepsOf(const StateJson& json, const std::string& origin) {
  StateJson settings = json.at("settings"), shot = json.at("shot");
  std::vector<UndoStep> steps;
  std::shared_ptr<const Shot> last;
  if (json.at("steps").size() > History::kMaxSteps + 1) return {};
  for (const StateJson& step : json.at("steps")) {
    UndoStep read{.shotTimeS = step.at("time").get<double>(), .action = step.at("action").get<std::string>()};
    settings = patched(settings, step.at("settings"));
    applySettingsJson(read.settings, settings.dump(), origin);
    if (const StateJson& difference = step.at("shot"); !last || !difference.empty()) {
      shot = patched(shot, difference);
      Notes notes;
      last = std::make_shared<const Shot>(shot.is_null() ? Shot{} : shotFromJson(shot.dump(), origin, notes));
    }
    read.shot = last;
    steps.push_back(std::move(read));
  }
  return steps;
}

}  // namespace

std::vector<UndoStep> UndoFile::read() const {
  std::vector<UndoStep> steps;
  reads([&] { steps = stepsOf(readStateFile(path_, kMaxUndoBytes), path_.string()); });
  return steps;
}

bool UndoFile::write(const std::vector<UndoStep>& steps) {
  const auto isWritten = [](const UndoStep& step, const Written& written) { return step == written.step; };
  if (std::ranges::equal(steps, written_, isWritten) && (!fits_ || !isMissing(path_))) return fits_;
  std::vector<Written> next;
  for (std::size_t i = 0; i < steps.size(); ++i) next.push_back(difference(steps[i == 0 ? 0 : i - 1], steps[i]));
  written_ = std::move(next);
  std::size_t from = written_.size(), bytes = 0;
  while (from > 0 && bytes + written_[from - 1].difference.size() < kMaxUndoBytes / 2)
    bytes += written_[--from].difference.size() + 1;
  const std::string first = from == written_.size() ? std::string() : compactText(jsonOf(*written_[from].step.shot));
  fits_ = from < written_.size() && first.size() <= kMaxUndoBytes / 4;
  if (!fits_) {
    std::error_code unknown;
    std::filesystem::remove(path_, unknown);
    return false;
  }
  const UndoStep& start = written_[from].step;
  std::string file = R"({"settings":)" + compactText(jsonOf(start.settings)) + R"(,"shot":)" + first + R"(,"steps":[)" +
                     compactText(stepJson(start, StateJson::array(), StateJson::array()));
  for (std::size_t i = from + 1; i < written_.size(); ++i) file += ',' + written_[i].difference;
  writeStateFile(path_, file + "]}");
  return true;
}

UndoFile::Written UndoFile::difference(const UndoStep& before, const UndoStep& step) const {
  for (std::size_t known = 1; known < written_.size(); ++known)
    if (written_[known].step == step && written_[known - 1].step == before) return written_[known];
  const bool sameShot = step.shot == before.shot;
  return {step, compactText(stepJson(
                    step, StateJson::diff(jsonOf(before.settings), jsonOf(step.settings)),
                    sameShot ? StateJson::array() : StateJson::diff(jsonOf(*before.shot), jsonOf(*step.shot))))};
}

}  // namespace satdof
