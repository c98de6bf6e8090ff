#include "app/run/inputs_kept.h"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <string>
#include <type_traits>
#include <vector>

#include "app/core/fields.h"
#include "app/core/usage_error.h"
#include "app/io/image_file.h"
#include "app/io/layer_file.h"
#include "app/run/batch.h"
#include "app/run/frame_files.h"

namespace satdof {

namespace {

namespace fs = std::filesystem;

struct OptionFile {
  std::string option;
  fs::path path;
};

std::vector<OptionFile> inputsOf(const CommandLine& line) {
  const Settings settings = line.settings();
  std::vector<OptionFile> inputs{{"--shot", line.shotPath}};
  if (line.lensPreset.ends_with(".json")) inputs.push_back({"--lens-preset", line.lensPreset});
  if (settings.filter.mask.isFile()) inputs.push_back({"--filter", settings.filter.mask.text});
  describe(settings, [&]<class T>(const Field& field, const T& value) {
    if constexpr (std::is_same_v<T, FilePath>) inputs.push_back({field.option(), value.text});
  });
  return inputs;
}

std::vector<OptionFile> outputsOf(const CommandLine& line) {
  std::vector<OptionFile> outputs;
  for (const Layer layer : line.layers)
    if (!line.capture.empty()) outputs.push_back({"--export", layerPath(line.capture, layer)});
  outputs.insert(outputs.end(), {{"--capture", line.capture},
                                 {"--stats", line.stats},
                                 {"--video", line.video},
                                 {"--lab", line.lab},
                                 {"--share", line.share},
                                 {"--trace", line.trace},
                                 {"--save-lens", line.saveLens}});
  std::erase_if(outputs, [](const OptionFile& each) { return each.path.empty(); });
  return outputs;
}

bool sameFile(const fs::path& a, const fs::path& b) {
  std::error_code missing;
  const auto whole = [&](const fs::path& path) { return fs::absolute(path, missing).lexically_normal(); };
  return !a.empty() && !b.empty() && (whole(a) == whole(b) || fs::equivalent(a, b, missing));
}

// Whether a frame of the sequence, or a layer of it, is written to the file.
bool isFrame(const CommandLine& line, fs::path file) {
  if (isFrameName(file.string())) file = frameFile(file.string(), 1);
  const std::string name = file.filename().string(), prefix = line.sequence.stem().string() + "-";
  if (line.sequence.empty() || !name.starts_with(prefix)) return false;
  int number = 0;
  std::from_chars(name.data() + prefix.size(), name.data() + name.size(), number);
  const fs::path frame = numberedPath(line.sequence, number);
  const auto holds = [&](Layer layer) { return sameFile(layerPath(frame, layer), file); };
  return number > 0 && number <= line.frames &&
         (sameFile(frame, file) || std::ranges::any_of(line.layers, holds));
}

UsageError refusal(const OptionFile& kept, const std::string& option) {
  return UsageError(kept.option + " " + kept.path.string() + ": " + option +
                    " writes the same file; choose another name");
}

void requireKept(const CommandLine& line) {
  const std::vector<OptionFile> inputs = inputsOf(line), outputs = outputsOf(line);
  for (const OptionFile& input : inputs) {
    for (const OptionFile& output : outputs)
      if (sameFile(output.path, input.path)) throw refusal(input, output.option);
    if (isFrame(line, input.path)) throw refusal(input, "--sequence");
  }
  for (size_t i = 0; i < outputs.size(); ++i)
    for (size_t j = 0; j < i; ++j)
      if (sameFile(outputs[j].path, outputs[i].path)) throw refusal(outputs[i], outputs[j].option);
}

}  // namespace

void requireInputsKept(const CommandLine& line) {
  if (!isBatch(line)) return requireKept(line);
  for (const CommandLine& each : batchOf(line)) requireKept(each);
}

}  // namespace satdof
