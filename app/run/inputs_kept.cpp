#include "app/run/inputs_kept.h"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

#include "app/core/fields.h"
#include "app/core/file_names.h"
#include "app/core/usage_error.h"
#include "app/core/video_formats.h"
#include "app/io/image_file.h"
#include "app/io/layer_file.h"
#include "app/lens/presets.h"
#include "app/run/batch.h"
#include "app/run/frame_files.h"
#include "app/scene/model/reader.h"

namespace satdof {

namespace {

namespace fs = std::filesystem;

struct OptionFile {
  std::string option;
  fs::path path;
};
using OptionFiles = std::vector<OptionFile>;

// The frames of a film stand for its name.
void addInput(OptionFiles& inputs, const std::string& option, const std::string& path) {
  if (path.empty()) return;
  inputs.push_back({option, path});
  if (!isFrameName(path)) return;
  std::error_code unreadable;
  const std::string name = fs::path(path).filename().string(), start = name.substr(0, name.find('%'));
  const fs::path folder = fs::path(path).parent_path();
  for (const auto& entry : fs::directory_iterator(folder.empty() ? "." : folder, unreadable))
    if (entry.path().filename().string().starts_with(start))
      inputs.push_back({option, folder / entry.path().filename()});
}

void addInputs(OptionFiles& inputs, const CommandLine& line) {
  const Settings settings = line.settings();
  addInput(inputs, "--settings", line.settingsPath.string());
  addInput(inputs, "--shot", line.shotPath.string());
  addInput(inputs, "--data", line.traceData.string());
  if (namesLensFile(line.lensPreset)) addInput(inputs, "--lens-preset", line.lensPreset);
  if (settings.filter.mask.isFile()) addInput(inputs, "--filter", settings.filter.mask.text);
  for (const auto& [option, values] : line.files)
    for (const std::string& value : values) addInput(inputs, option, value);
  describe(settings, [&]<class T>(const Field& field, const T& value) {
    if constexpr (std::is_same_v<T, FilePath>) addInput(inputs, field.option(), value.text);
  });
}

void addOutputs(OptionFiles& outputs, const CommandLine& line) {
  const auto add = [&](const char* option, const fs::path& path) {
    if (!path.empty() && path != "-") outputs.push_back({option, path});
  };
  if (!line.capture.empty()) {
    for (const Layer layer : line.layers) add("--export", layerPath(line.capture, layer));
    if (line.compare)
      for (const std::string& suffix : {std::string(name(*line.compare)), std::string("difference")})
        add("--compare", suffixedPath(line.capture, suffix));
  }
  add("--capture", line.capture);
  add("--stats", line.stats);
  add("--video", line.video);
  add("--lab", line.lab);
  add("--share", line.share);
  add("--trace", line.trace);
  add("--save-lens", line.saveLens);
}

bool sameFile(const fs::path& a, const fs::path& b) {
  std::error_code missing;
  const auto whole = [&](const fs::path& path) { return fs::absolute(path, missing).lexically_normal(); };
  return whole(a) == whole(b) || fs::equivalent(a, b, missing);
}

// Whether a frame of the sequence, or a layer of it, would have the name of the file.
bool isFrame(const CommandLine& line, fs::path file) {
  if (isFrameName(file.string())) file = frameFile(file.string(), 1);
  const std::string name = file.filename().string(), prefix = line.sequence.stem().string() + "-";
  if (line.sequence.empty() || !name.starts_with(prefix)) return false;
  int number = 0;
  std::from_chars(name.data() + prefix.size(), name.data() + name.size(), number);
  const fs::path frame = numberedPath(line.sequence, number);
  const auto holds = [&](Layer layer) { return sameFile(layerPath(frame, layer), file); };
  return number > 0 && (sameFile(frame, file) || std::ranges::any_of(line.layers, holds));
}

// Whether a model names the file.
bool names(const fs::path& model, const fs::path& file) {
  std::error_code missing;
  if (!fs::is_regular_file(file, missing)) return false;
  try {
    return std::ranges::any_of(filesNamedBy(model),
                               [&](const fs::path& each) { return sameFile(each, file); });
  } catch (const std::runtime_error&) {  // who reads it says so
    return false;
  }
}

UsageError refusal(const OptionFile& kept, const std::string& option) {
  return UsageError(kept.option + " " + kept.path.string() + ": " + option +
                    " writes the same file; choose another name");
}

}  // namespace

void requireInputsKept(const CommandLine& line) {
  const std::vector<CommandLine> lines = isBatch(line) ? batchOf(line) : std::vector{line};
  OptionFiles inputs, outputs;
  for (const CommandLine& each : lines) {
    addInputs(inputs, each);
    addOutputs(outputs, each);
  }
  for (const OptionFile& input : inputs) {
    for (const OptionFile& output : outputs)
      if (sameFile(output.path, input.path) || (isModelFile(input.path) && names(input.path, output.path)))
        throw refusal({input.option, output.path}, output.option);
    for (const CommandLine& each : lines) {
      if (isFrame(each, input.path)) throw refusal(input, "--sequence");
      // A video that is whole takes the place of its parts.
      if (isUnfinished(input.path, each.video) && sameFile(folderOf(input.path), folderOf(each.video)))
        throw refusal(input, "--video");
    }
  }
  for (size_t i = 0; i < outputs.size(); ++i) {
    for (size_t j = 0; j < i; ++j)
      if (sameFile(outputs[j].path, outputs[i].path)) throw refusal(outputs[i], outputs[j].option);
    for (const CommandLine& each : lines)
      if (isFrame(each, outputs[i].path)) throw refusal(outputs[i], "--sequence");
  }
}

}  // namespace satdof
