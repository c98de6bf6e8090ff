#include "app/device/gl/scan.h"

#include <stdexcept>
#include <string>

namespace satdof {

glm::ivec2 foldedSize(int width, unsigned count) {
  GLint largest = 0;
  glGetIntegerv(GL_MAX_TEXTURE_SIZE, &largest);
  const unsigned columns = width > 0 ? static_cast<unsigned>(width) : 0;
  const unsigned rows = columns > 0 ? count / columns + (count % columns != 0) : 0;
  if (rows == 0 || width > largest || rows > static_cast<unsigned>(largest))
    throw std::runtime_error("cannot fold " + std::to_string(count) + " elements into rows of " +
                             std::to_string(width) + ": a texture has 1 to " + std::to_string(largest) +
                             " columns and rows; choose another width or fewer elements");
  return {width, static_cast<int>(rows)};
}

GlFragmentScan::GlFragmentScan(int width, unsigned count, int reducePasses) : width_(static_cast<unsigned>(width)) {
  constexpr std::array kDefines = {"PASS_REDUCE", "PASS_DOUBLE", "PASS_DOWN"};
  for (std::size_t pass = 0; pass < kDefines.size(); ++pass)
    programs_[pass] = gl::Program({"common/fullscreen.vert", "scan/folded_scan.frag"}, {{kDefines[pass], "1"}});
  levels_.push_back({count, {GL_R32UI, foldedSize(width, count)}});
  for (int pass = 0; pass < reducePasses && count > 1; ++pass) {
    count = count / 2 + count % 2;
    levels_.push_back({count, {GL_R32UI, foldedSize(width, count)}});
  }
}

void GlFragmentScan::draw(Pass pass, const gl::Texture& input, unsigned inputCount, const Level& output, int side,
                          unsigned distance) const {
  const gl::Program& program = programs_[pass];
  program.use();
  program.set("width", width_);
  program.set("count", inputCount);
  if (pass == doublePass) program.set("distance_", distance);
  input.bind(0);
  gl::drawFullScreen(output.textures.targets[static_cast<std::size_t>(side)].name(), output.textures.size());
}

const gl::Texture& GlFragmentScan::run(const gl::Texture& elements) {
  const auto inputOf = [&](std::size_t level) -> const gl::Texture& {
    return level == 0 ? elements : levels_[level].textures.textures[0];
  };
  for (std::size_t i = 0; i + 1 < levels_.size(); ++i)
    draw(reducePass, inputOf(i), levels_[i].count, levels_[i + 1], 0);

  std::size_t i = levels_.size() - 1;
  const gl::Texture* scanned = &inputOf(i);
  const auto otherSide = [&](const gl::Texture* texture) {
    return texture == &levels_[i].textures.textures[0] ? 1 : 0;
  };
  const auto write = [&](Pass pass, const gl::Texture& input, unsigned distance) {
    const int side = otherSide(&input);
    draw(pass, input, levels_[i].count, levels_[i], side, distance);
    scanned = &levels_[i].textures.textures[static_cast<std::size_t>(side)];
  };
  for (unsigned distance = 1; distance < levels_[i].count; distance *= 2) write(doublePass, *scanned, distance);
  while (i-- > 0) {
    scanned->bind(1);
    write(downPass, inputOf(i), 0);
  }
  return *scanned;
}

}  // namespace satdof
