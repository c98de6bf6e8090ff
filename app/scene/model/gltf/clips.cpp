#include "app/scene/model/gltf/clips.h"

#include <algorithm>
#include <functional>
#include <map>
#include <string>
#include <utility>

#include "app/scene/model/entry.h"

namespace satdof::gltf {

namespace {

class ChannelReader {
 public:
  ChannelReader(const Accessors& accessors, const ModelLimits& limits, const ModelData& model)
      : accessors_(accessors), limits_(limits), model_(model) {}

  // Adds a channel with the keys of a sampler; for morph weights, a channel for each target.
  void add(const Item& sampler, Channel channel, Clip& clip) {
    const ModelNode& node = entry(model_.nodes, channel.node);
    const bool morphs = channel.path == Path::weight;
    const std::size_t targets = node.mesh < 0 ? 0 : entry(model_.meshes, node.mesh).targets;
    const std::size_t channels = morphs ? targets : 1;
    const std::size_t width = morphs ? 1 : channel.path == Path::rotation ? 4 : 3;
    if (channels == 0) return;
    const auto read = [&](const char* key, std::size_t components) {
      auto numbers =
          accessors_.floats(sampler.requiredIndex(key, accessors_.size()), {components}, limits_.keys - keys_);
      keys_ += numbers.size() / components;
      return numbers;
    };
    channel.timesS = read("input", 1);
    const auto values = read("output", width);
    if (!std::ranges::is_sorted(channel.timesS)) fail(sampler.where(), "has times that do not increase");
    const std::size_t parts = channel.interpolation == KeyInterpolation::cubic ? 3 : 1;
    const std::size_t times = channel.timesS.size();
    if ((channels - 1) * times > limits_.keys - keys_) fail(sampler.where(), "has too many keys");
    keys_ += (channels - 1) * times;
    if (times == 0 || values.size() < times * parts * channels * width)
      fail(sampler.where(), "has fewer values than times");
    clip.durationS = std::max(clip.durationS, channel.timesS.back());
    for (channel.target = 0; channel.target < channels; ++channel.target) {
      channel.values.clear();
      for (std::size_t i = 0; i < times * parts; ++i) {
        const std::size_t at = (i * channels + channel.target) * width;
        glm::vec4 value(0.0f);
        for (std::size_t c = 0; c < width; ++c) value[static_cast<int>(c)] = values[at + c];
        channel.values.push_back(value);
      }
      clip.channels.push_back(channel);
    }
  }

 private:
  const Accessors& accessors_;
  const ModelLimits& limits_;
  const ModelData& model_;
  std::size_t keys_ = 0;  // of all channels
};

}  // namespace

void readClips(const Item& root, const Nodes& nodes, const Accessors& accessors, const ModelLimits& limits,
               LoadProgress& progress, ModelData& model) {
  static const std::map<std::string, Path, std::less<>> kPaths = {{"translation", Path::translation},
                                                                  {"rotation", Path::rotation},
                                                                  {"scale", Path::scale},
                                                                  {"weights", Path::weight}};
  ChannelReader reader(accessors, limits, model);
  for (const Item& item : root.list("animations", limits.items)) {
    progress.report(0.5f, "reading animations");
    Clip clip;
    clip.name = item.text("name");
    const auto samplers = item.list("samplers", limits.items);
    for (const Item& target : item.list("channels", limits.items)) {
      const Item& sampler = entry(samplers, target.requiredIndex("sampler", samplers.size()));
      const auto to = target.object("target");
      if (!to || !to->has("node")) continue;
      const auto path = kPaths.find(to->text("path"));
      if (path == kPaths.end()) continue;
      Channel channel;
      channel.node = entry(nodes.newIndex, to->index("node", nodes.newIndex.size()));
      channel.path = path->second;
      const std::string how = sampler.text("interpolation");
      channel.interpolation = how == "STEP"          ? KeyInterpolation::step
                              : how == "CUBICSPLINE" ? KeyInterpolation::cubic
                                                     : KeyInterpolation::linear;
      reader.add(sampler, std::move(channel), clip);
    }
    model.clips.push_back(std::move(clip));
  }
}

}  // namespace satdof::gltf
