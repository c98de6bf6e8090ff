#include "app/quality/comparison.h"

namespace satdof {

namespace {

ImageMetrics measure(const std::vector<float>& test, const std::vector<float>& reference, glm::ivec2 size) {
  ImageMetrics metrics = imageMetrics(test, reference, size);
  metrics.flip = flip(reference, test, size);
  return metrics;
}

}  // namespace

Comparison compare(const Settings& settings, LensKind lens, const DrawImage& draw, const CaptureImage& capture) {
  Settings ours = settings;
  ours.split.enabled = false;
  const std::vector<float> image = draw(ours);

  Settings theirs = ours;
  theirs.split = {.enabled = true, .position = 0.0f, .b = settings.technique};
  theirs.split.b.lens.kind = lens;
  theirs.split.b.view = View::final;
  const std::vector<float> other = draw(theirs);
  capture(theirs, name(lens));

  Settings difference = theirs;
  difference.split.enabled = false;
  difference.technique.view = View::difference;
  draw(difference);
  capture(difference, name(View::difference));

  Comparison comparison{lens, 1, measure(image, other, settings.size), std::nullopt};
  if (lens != LensKind::reference) return comparison;
  comparison.samples = settings.lens.lensSamples;
  ++theirs.lens.lensSeed;
  comparison.noiseFloor = measure(draw(theirs), other, settings.size);
  return comparison;
}

}  // namespace satdof
