#include "app/run/command_line/inputs_kept.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <system_error>
#include <vector>

#include "app/core/field_json.h"
#include "app/core/fields.h"
#include "app/core/files/cache.h"
#include "app/core/files/data_dir.h"
#include "app/core/files/file_identity.h"
#include "app/core/files/file_names.h"
#include "app/core/files/files.h"
#include "app/core/system/platform.h"
#include "app/core/text/foreign_text.h"
#include "app/core/text/number.h"
#include "app/core/usage_error.h"
#include "app/io/depth_image.h"
#include "app/io/image_file.h"
#include "app/io/layer_file.h"
#include "app/lens/presets.h"
#include "app/run/batch.h"
#include "app/run/capture.h"
#include "app/run/dropped.h"
#include "app/run/film/video.h"
#include "app/run/inputs.h"
#include "app/run/system/depth_command.h"
#include "app/scene/model/model.h"

namespace satdof {

namespace {

namespace fs = std::filesystem;

struct OptionFile {
  std::string option;
  fs::path path;
};
using OptionFiles = std::vector<OptionFile>;

// Adds a file that an option names; for a pattern of frames, also the frames.
void addInput(OptionFiles& inputs, const std::string& option, const std::string& path) {
  if (path.empty()) return;
  for (const fs::path& file : filesNamed(option, path)) inputs.push_back({option, file});
}

void addInputs(OptionFiles& inputs, const CommandLine& line) {
  const Settings settings = line.settings();
  addInput(inputs, "--settings", line.settingsPath.string());
  addInput(inputs, "--shot", line.shotPath.string());
  addInput(inputs, "--data", line.traceData.string());
  addInput(inputs, "--lab-from", line.labFromPath.string());
  if (namesLensFile(line.lensPreset)) addInput(inputs, "--lens-preset", line.lensPreset);
  if (settings.filter.mask.isFile()) addInput(inputs, "--filter", settings.filter.mask.text);
  for (const auto& [option, values] : line.files)
    for (const std::string& value : values) addInput(inputs, option, value);
  for (const fs::path& file : line.opened) addInput(inputs, "FILE", file.string());
  if (!line.depthCommand.empty())
    for (const fs::path& file : filesOf(depthCommand("--depth-command", line.depthCommand)))
      inputs.push_back({"--depth-command", file});
  forEachFile(settings, [&](const Field& field, const FilePath& file) { addInput(inputs, field.option(), file.text); });
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

// Whether a file of this name is a frame of the sequence, or a layer of a frame.
bool namesFrame(const CommandLine& line, const std::string& name) {
  const std::string prefix = line.sequence.stem().string() + "-";
  if (line.sequence.empty() || !name.starts_with(prefix)) return false;
  const int number = leadingNumber<int>(std::string_view(name).substr(prefix.size())).value_or(0);
  const fs::path frame = numberedPath(line.sequence, number);
  const auto holds = [&](Layer layer) { return layerPath(frame, layer).filename() == name; };
  return number > 0 && (frame.filename() == name || std::ranges::any_of(line.layers, holds));
}

// The existing frames of a sequence and their layers.
std::vector<fs::path> existingFrames(const CommandLine& line) {
  if (line.sequence.empty()) return {};
  std::vector<fs::path> files = entriesOf(folderOf(line.sequence));
  std::erase_if(files, [&](const fs::path& file) { return !namesFrame(line, file.filename().string()); });
  return files;
}

UsageError refusal(const OptionFile& kept, const std::string& option) {
  return UsageError(kept.option + " " + pathText(kept.path) + ": " + option +
                    " writes the same file; choose another name");
}

std::vector<CommandLine> linesOf(const CommandLine& line) { return isBatch(line) ? batchOf(line) : std::vector{line}; }

constexpr std::array kProgramParts = {"shaders", "assets"};  // folders of dataDir()

// Whether programHash() covers the file.
bool isOfProgram(const fs::path& file) {
  std::error_code unknown;
  const fs::path found = fs::canonical(file, unknown);
  return std::ranges::any_of(
      kProgramParts, [&](const char* part) { return isBelow(found, fs::canonical(dataDir() / part, unknown)); });
}

// A hash of the program file, shaders and assets.
std::string programHash() {
  const auto bytesOf = [](const fs::path& file) { return readWholeFile(file, ModelLimits().fileBytes); };
  std::map<std::string, std::string> states;  // by path
  for (const char* const part : kProgramParts)
    for (const auto& entry : fs::recursive_directory_iterator(dataDir() / part))
      if (entry.is_regular_file())
        states[entry.path().lexically_relative(dataDir()).string()] = hashed(bytesOf(entry.path()));
  std::string all = hashed(bytesOf(programFile()));
  for (const auto& [path, state] : states) all.append(path).append(state);
  return hashed(all);
}

// How the program encodes the video, and why not with the transparent background.
json::Json videoListing(const CommandLine& line) {
  const Settings settings = line.settings();
  const bool transparent = mayBeTransparent(settings, line.shot ? &*line.shot : nullptr);
  const std::string missing = transparent ? alphaMissing(line.video) : "";
  const VideoFormat format{.size = settings.size,
                           .framesPerSecond = line.rate(),
                           .alpha = transparent && missing.empty(),
                           .frames = std::max(line.frames, 1)};
  return {{"encoder", encoderOptions(line.video, format)}, {"alphaMissing", missing}};
}

}  // namespace

std::string inputsListing(const CommandLine& line) {
  OptionFiles named;
  for (const CommandLine& each : linesOf(line)) addInputs(named, each);
  for (const FilePath& film : {line.film.file, line.film.depth}) addInput(named, "", film.text);
  for (const fs::path& opened : line.opened)
    for (const fs::path& photo : isFolder(opened) ? photosOf({opened}) : std::vector{opened}) {
      addInput(named, "", photo.string());
      addInput(named, "", depthBeside(photo).string());
    }
  std::set<std::string> read;
  const auto add = [&](const fs::path& file) {
    if (isRegularFile(file) && !isCached(file, "films") && !isOfProgram(file)) read.insert(file.string());
  };
  for (const OptionFile& input : named) {
    if (isFolder(input.path)) continue;
    add(input.path);
    for (const fs::path& file : filesReadWith(input.path)) add(file);
  }
  OptionFiles written;
  std::set<std::string> outputs, layers;
  for (const CommandLine& each : linesOf(line)) addOutputs(written, each);
  for (const OptionFile& output : written) outputs.insert(output.option);
  for (const Layer layer : line.layers) layers.insert(layerPath("", layer).string());
  const json::Json listing{{"version", "satdof " SATDOF_VERSION},
                           {"program", programHash()},
                           {"inputs", read},
                           {"outputs", outputs},
                           {"layers", layers},
                           {"fps", json::toJson(line.rate())},
                           {"video", line.video.empty() ? json::Json() : videoListing(line)}};
  return listing.dump(1, ' ', false, json::Json::error_handler_t::replace) + "\n";
}

void requireInputsKept(const CommandLine& line) {
  const std::vector<CommandLine> lines = linesOf(line);
  OptionFiles inputs, outputs, frames;  // existing frames
  for (const CommandLine& each : lines) {
    addInputs(inputs, each);
    addOutputs(outputs, each);
    for (const fs::path& frame : existingFrames(each)) frames.push_back({"--sequence", frame});
  }
  if (!frames.empty() || std::ranges::any_of(outputs, isThere, &OptionFile::path))  // else models need not be read
    for (const OptionFile& input : OptionFiles(inputs))
      for (const fs::path& file : filesReadWith(input.path)) inputs.push_back({input.option, file});
  std::map<std::string, const OptionFile*> kept;  // by fileIdentity()
  for (const OptionFile& input : inputs) kept.emplace(fileIdentity(input.path), &input);
  const auto requireOther = [&](const fs::path& output, const std::string& option) {
    const auto found = kept.find(fileIdentity(output));
    if (found != kept.end()) throw refusal({found->second->option, output}, option);
  };
  for (const OptionFile& frame : frames) requireOther(frame.path, frame.option);
  for (const OptionFile& frame : line.resume || line.last > 0 ? frames : OptionFiles())  // these runs replace frames
    if (!kept.emplace(fileIdentity(frame.path), &frame).second) throw refusal(frame, "another frame of --sequence");
  for (const CommandLine& each : lines)
    if (!each.video.empty())
      for (const fs::path& part : unfinishedOf(each.video)) requireOther(part, "--video");
  for (const OptionFile& output : outputs) {
    requireOther(output.path, output.option);
    const fs::path file = targetOf(output.path);
    for (const CommandLine& each : lines)
      if (namesFrame(each, file.filename().string()) &&
          fileIdentity(folderOf(file)) == fileIdentity(folderOf(each.sequence)))
        throw refusal(output, "--sequence");
    kept.emplace(fileIdentity(output.path), &output);
  }
}

}  // namespace satdof
