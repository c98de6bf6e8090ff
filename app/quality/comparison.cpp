#include "app/quality/comparison.h"

#include <vector>

#include "app/gl/read_rgb.h"

namespace satdof {

namespace {

std::vector<float> displayed(Renderer& renderer, const Settings& settings) {
  const gl::Texture target(GL_RGBA32F, settings.size);
  const gl::Framebuffer framebuffer(target);
  Timings timings;
  renderer.present(framebuffer.name(), settings.size, settings, timings);
  return readRgb<float>(target, GL_FLOAT);
}

}  // namespace

Comparison compare(Renderer& renderer, const Settings& settings, LensKind lens, const DrawFinished& draw,
                   const CaptureImage& capture) {
  Settings drawn = settings;
  drawn.split.enabled = false;
  draw(drawn);
  const std::vector<float> ours = displayed(renderer, drawn);

  drawn.split = {.enabled = true, .position = 0.0f, .other = settings.technique};
  drawn.split.other.lens = lens;
  drawn.split.other.view = View::final;
  draw(drawn);
  const std::vector<float> theirs = displayed(renderer, drawn);
  capture(drawn, name(lens));

  Settings difference = drawn;
  difference.split.enabled = false;
  difference.technique.view = View::difference;
  draw(difference);
  capture(difference, name(View::difference));

  Comparison comparison{lens, 1, imageMetrics(ours, theirs, settings.size), std::nullopt};
  if (lens != LensKind::reference) return comparison;
  comparison.samples = settings.lens.lensSamples;
  ++drawn.lens.lensSeed;
  draw(drawn);
  comparison.noiseFloor = imageMetrics(displayed(renderer, drawn), theirs, settings.size);
  return comparison;
}

}  // namespace satdof
