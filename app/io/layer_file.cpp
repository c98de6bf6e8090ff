#include "app/io/layer_file.h"

#include <algorithm>
#include <array>

#include "app/core/text/count_text.h"
#include "app/core/text/foreign_text.h"
#include "app/core/usage_error.h"
#include "app/io/codec.h"

namespace satdof {

namespace {

struct LayerRow {
  Layer layer;
  const char* name;
};
constexpr std::array kLayers = {LayerRow{Layer::colour, "colour"}, LayerRow{Layer::depth, "depth"},
                                LayerRow{Layer::coc, "coc"}};

const LayerRow& rowOf(Layer layer) { return *std::ranges::find(kLayers, layer, &LayerRow::layer); }

std::string expectedLayers() {
  std::vector<std::string> names;
  names.reserve(std::size(kLayers));
  for (const LayerRow& layer : kLayers) names.emplace_back(layer.name);
  return listText(names, "and");
}

}  // namespace

std::vector<Layer> parseLayers(const std::string& where, const std::string& text) {
  std::vector<Layer> found;
  for (const std::string& name : splitText(text, ',')) {
    const auto* const row = std::ranges::find_if(kLayers, [&](const LayerRow& layer) { return name == layer.name; });
    if (row == kLayers.end())
      throw UsageError(where + " " + excerpt(text) + ": " + inQuotes(name) + " is no layer; expected " +
                       expectedLayers());
    if (std::ranges::find(found, row->layer) == found.end()) found.push_back(row->layer);
  }
  if (found.empty()) throw UsageError(where + ": expected " + expectedLayers() + ", separated by commas");
  return found;
}

std::filesystem::path suffixedPath(const std::filesystem::path& path, const std::string& suffix) {
  return path.parent_path() / (path.stem().string() + "-" + suffix + path.extension().string());
}

std::filesystem::path layerPath(const std::filesystem::path& image, Layer layer) {
  return suffixedPath(image, rowOf(layer).name);
}

void requireLayerFormat(const std::filesystem::path& image, Layer layer) {
  const Codec& codec = writerOf(image);
  if (codec.holds(layer)) return;
  const auto holdsAll = [](const Codec& each) { return each.layer != nullptr && !each.colourLayerOnly; };
  throw UsageError("cannot write " + pathText(layerPath(image, layer)) + ": " + codec.extensions.front() +
                   (codec.layer == nullptr ? " holds no layer" : " holds colours only") +
                   "; expected a name ending in " + codecExtensions(holdsAll, "or"));
}

}  // namespace satdof
