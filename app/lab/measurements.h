#pragma once
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "app/lab/experiment.h"

// Measurements on the processor and on OpenGL.
namespace satdof::lab {

// Random words below `limit`, at most 2^32; the same for the same arguments.
std::vector<std::uint32_t> randomWords(std::size_t count, std::uint64_t limit);
// The same numbers as floats: with a limit of 256, sums of up to 2^16 elements are exact.
std::vector<float> randomFloats(std::size_t count, std::uint32_t limit);
// Words 0 or 1: about `percent` of them are 1.
std::vector<std::uint32_t> randomFlags(std::size_t count, double percent);
// The bits of half floats in [0, 1).
std::vector<std::uint16_t> randomHalves(std::size_t count);

// Times `work` by the wall clock. Without `reset`: the mean of calls in a row, as many as fill about 50
// microseconds. `reset` restores the input before each call and is not timed.
std::unique_ptr<Measurement> measureOnProcessor(std::function<void()> work,
                                                std::function<void()> reset = nullptr);

// `work` is timed by timestamps of OpenGL; upload, work and download by the wall clock. Needs a current context.
struct GlSteps {
  std::function<void()> upload, work, download;
};
std::unique_ptr<Measurement> measureOnGl(GlSteps steps);

// Of `count` words that are folded into a texture, see foldedSize(). words(n): n of them. work(width): runs on the texture, of that
// width, and returns the texture of the result, of the same size.
using FoldedWork = std::function<const gl::Texture&(const gl::Texture& folded)>;
std::unique_ptr<Measurement> measureFolded(
    std::uint32_t count, const std::function<std::vector<std::uint32_t>(std::size_t n)>& words,
    const std::function<FoldedWork(int width)>& work);

}  // namespace satdof::lab
