#include "app/run/stats_file.h"

#include <cmath>
#include <nlohmann/json.hpp>

#include "app/core/files/file_names.h"
#include "app/core/files/files.h"
#include "app/core/settings_json.h"
#include "app/device/device.h"
#include "app/io/settings_file.h"
#include "app/lab/machine.h"

namespace satdof {

namespace {

using Json = nlohmann::ordered_json;

Json machine() {
  Json json;
  for (const auto& [key, value] : lab::machine()) json[key] = value;
  return json;
}

Json numberOrNull(std::optional<double> value) { return value && std::isfinite(*value) ? Json(*value) : Json(nullptr); }

Json compareJson(const Comparison& comparison) {
  const auto floor = comparison.noiseFloor;
  return {{"lens", name(comparison.lens)},
          {"samples", comparison.samples},
          {"psnrDb", numberOrNull(comparison.metrics.psnrDb)},
          {"ssim", numberOrNull(comparison.metrics.ssim)},
          {"flip", numberOrNull(comparison.metrics.flip)},
          {"noiseFloorPsnrDb", numberOrNull(floor ? std::optional(floor->psnrDb) : std::nullopt)},
          {"noiseFloorSsim", numberOrNull(floor ? floor->ssim : std::nullopt)},
          {"noiseFloorFlip", numberOrNull(floor ? floor->flip : std::nullopt)}};
}

double hundredths(float value) { return std::round(static_cast<double>(value) * 100.0) / 100.0; }

}  // namespace

void writeStats(const std::filesystem::path& path, const Settings& settings, const std::string& state,
                const Notes& notes, const FrameStats& stats, int frames, int warmUpFrames,
                const std::optional<Comparison>& comparison) {
  Json json = {{"machine", machine()},
               {"device", name(deviceOf(settings.technique.device).id)},
               {"state", state},
               {"notes", Json::array()},
               {"settings", Json::parse(settingsToJson(withoutUserPaths(settings, folderOf(path))))},
               {"frames", frames},
               {"warmUpFrames", warmUpFrames},
               {"frameMedianUs", hundredths(stats.frame.medianUs())},
               {"frameP99Us", hundredths(stats.frame.percentileUs(0.99))},
               {"stages", Json::array()}};
  for (const std::string& note : notes) json["notes"].push_back(withoutFolder(note));
  for (const auto& stage : stats.stages)
    json["stages"].push_back({{"name", stage.name},
                              {"clock", name(stage.clock)},
                              {"medianUs", hundredths(stage.medianUs())},
                              {"p99Us", hundredths(stage.percentileUs(0.99))}});
  if (comparison) json["compare"] = compareJson(*comparison);
  writeWholeFile(path, json.dump(2, ' ', true, Json::error_handler_t::replace) + "\n");
}

}  // namespace satdof
