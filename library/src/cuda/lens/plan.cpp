#include <array>
#include <cmath>

#include "app/lens/aperture/aperture.h"
#include "app/lens/run/cuda_graph.h"
#include "cuda/runtime/surface.h"
#include "library/src/cuda/lens/light.h"
#include "library/src/cuda/sums.h"
#include "library/src/refocus.h"
#include "satdof/lens_cuda.h"

namespace satdof::cuda {

namespace {

// An array with its surface.
struct Target {
  Array array;
  Surface surface;
  Target() = default;
  Target(TexelFormat format, glm::ivec2 size) : array(format, size.x, size.y), surface(array.get()) {}
};

// A copy in device memory. Waits, since work may follow on a stream that does not wait for the default
// stream.
DeviceArray<std::uint16_t> uploaded(const std::vector<std::uint16_t>& values) {
  DeviceArray<std::uint16_t> array(values.size());
  SATDOF_CUDA(cudaMemcpy(array.data(), values.data(), array.bytes(), cudaMemcpyHostToDevice));
  SATDOF_CUDA(cudaStreamSynchronize(nullptr));
  return array;
}

}  // namespace

struct LensPlan::State {
  // The graph of one colour channel, or of all three.
  struct Channel {
    LensGraph graph;
    FocusSurface surface;
    bool bends;
  };

  explicit State(glm::ivec2 ofSize)
      : size(ofSize),
        light(TexelFormat::rgba16f, size),
        depth(TexelFormat::r32f, size),
        ofBytes(uploaded(lens::halvesOf<std::uint8_t>())),
        ofWords(uploaded(lens::halvesOf<std::uint16_t>())),
        graph(Technique{}, [this](auto work) { works.push_back(std::move(work)); }) {
    graph.resize(size);
  }

  OnDevice device;
  glm::ivec2 size;
  Target light, depth;
  std::array<Target, 3> images;  // of the channels
  DeviceArray<std::uint16_t> ofBytes, ofWords;
  std::vector<Channel> channels;  // empty before set()
  PhotographTone tone{};
  DrawnLight drawn{};
  on_cuda::CudaGraph graph;
  std::vector<std::unique_ptr<Work>> works;  // destroyed before the memory that it refers to
};

LensPlan::LensPlan(int width, int height) {
  lens::requireSides(cpu::Image<const char>{"", width, height, 3, 0}, "the image");
  state_ = std::make_unique<State>(glm::ivec2(width, height));
}
LensPlan::LensPlan(LensPlan&&) noexcept = default;
LensPlan& LensPlan::operator=(LensPlan&&) noexcept = default;
LensPlan::~LensPlan() = default;

void LensPlan::set(const lens::DepthRange& depths, std::span<const lens::Option> options) {
  State& state = *state_;
  state.device.require();
  cpu::require(std::isfinite(depths.unitM) && depths.unitM > 0.0f, "the unit of the depth must be positive, not ",
               depths.unitM);
  cpu::require(depths.nearestM >= depths.unitM, "the nearest distance must be at least the unit of the depth, ",
               depths.unitM, ", not ", depths.nearestM);
  lens::Refocus how(options);
  how.take(state.size, depths);
  const LensSettings& lens = how.settings().lens;
  const ImageSettings& image = how.settings().scene.image;
  state.channels.clear();
  for (const float shift : how.shifts()) {
    const LensSpace space = how.space(shift);
    Target& to = state.images[state.channels.size()];
    if (to.array.get() == nullptr) to = Target(TexelFormat::rgba16f, state.size);
    state.channels.push_back({how.graph(space), space.surface, needsLensSpace(lens) || shift != 0.0f});
    state.graph.prepare(state.channels.back().graph);
  }
  state.tone = {image.highlightsFrom, image.highlights};
  state.drawn = {{},
                 drawsChannelsApart(lens),
                 apertureOf(lens, how.facts()),
                 lateralGrowth(lens, how.facts()),
                 drawnVignetting(lens)};
  for (std::size_t c = 0; c < state.images.size(); ++c)
    state.drawn.images[c] = state.images[std::min(c, state.channels.size() - 1)].surface.object();
}

void LensPlan::run(const InputImage& image, const cpu::Image<const float>& depth, const OutputImage& out,
                   CUstream_st* stream) {
  State& state = *state_;
  state.device.require();
  const auto [width, height] = std::pair(state.size.x, state.size.y);
  requirePixels(image, "the image", width, height, 3);
  requirePixels(InputImage(depth), "the depth", width, height, 1);
  requirePixels(out, "the output", width, height, 3);
  cpu::require(image.type == Type::uint8 || image.type == Type::uint16 || image.type == Type::float32,
               "the image cannot be ", nameOf(image.type));
  cpu::require(out.type == image.type, "the output is ", nameOf(out.type), ", but the image is ", nameOf(image.type));
  cpu::require(!state.channels.empty(), "the plan has no options: call set()");
  const auto& halves = image.type == Type::uint8 ? state.ofBytes : state.ofWords;
  takeLight(image, halves.data(), state.tone, state.light.surface.object(), stream);
  for (std::size_t c = 0; c < state.channels.size(); ++c) {
    const auto& [graph, surface, bends] = state.channels[c];
    takeDepth(depth, surface, bends, state.depth.surface.object(), stream);
    state.graph.prepare(graph);
    std::array<cudaArray*, kLensInputs> inputs{};
    inputs[kColour] = state.light.array.get();
    inputs[kDepth] = state.depth.array.get();
    inputs[kOutput] = state.images[c].array.get();
    state.graph.draw(inputs, stream);
  }
  showLight(state.drawn, state.tone, out, stream);
}

}  // namespace satdof::cuda
