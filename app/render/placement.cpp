#include "app/render/placement.h"

#include <algorithm>

#include "app/render/overscan.h"

namespace satdof {

namespace {

// Returns the divisor for the wider margin of A and B.
int widerDivisor(const ResolvedSettings& settings, const NearestM& nearestM) {
  const auto divisorFor = [&](const LensSettings& lens) {
    ResolvedSettings ofLens = settings;
    ofLens.lens = lens;
    return overscanDivisor(ofLens, [&](int marginPx) {
      Settings wider = ofLens;
      addMargin(wider, marginPx);
      return nearestM(wider);
    });
  };
  const int divisor = divisorFor(settings.lens);
  if (!showsB(settings) || !settings.split.ownLens) return divisor;
  const int divisorB = divisorFor(lensOfB(settings));
  return divisor == 0 || divisorB == 0 ? std::max(divisor, divisorB) : std::min(divisor, divisorB);
}

// Returns the rectangle to draw of a whole image of settings.size pixels in order to show `visible`.
PixelRectangle drawnForZoom(const ResolvedSettings& settings, const PixelRectangle& visible, float nearestM,
                            int maxMarginPx) {
  const SceneFacts facts{
      .size = settings.size, .nearM = nearestM, .nearestM = nearestM, .axisPx = axisPx(settings, settings.size)};
  int reach = reachPx(settings, facts);
  if (showsB(settings)) reach = std::max(reach, reachPx(settingsOfB(settings), facts));
  return drawnFor(visible, settings.size, reach, maxMarginPx);
}

}  // namespace

ImagePlacement place(ResolvedSettings& settings, const FrameRequest& request, int maxSidePx, const NearestM& nearestM) {
  ImagePlacement placement;
  placement.shown.size = request.part ? request.part->tile.size : settings.size;
  if (request.zoom) settings.size = request.zoom->part.whole;
  if (!request.part) {
    placement.overscanDivisor = widerDivisor(settings, nearestM);
    placement.overscanPx = overscanPx(settings.size, *placement.overscanDivisor,
                                      request.zoom ? std::numeric_limits<int>::max() : maxSidePx);
  }
  addMargin(settings, placement.overscanPx);
  placement.shown.from = glm::ivec2(placement.overscanPx);
  if (request.part) {
    placement.part = {request.part->tile.from, settings.size};
    placement.nearestM = request.part->nearestM;
    settings.size = request.part->tile.size;
  }
  if (request.zoom) {
    placement.nearestM = nearestM(settings);
    const PixelRectangle visible{request.zoom->part.from + placement.overscanPx, placement.shown.size};
    const PixelRectangle drawn = drawnForZoom(settings, visible, placement.nearestM, request.zoom->maxMarginPx);
    placement.part = {drawn.from, settings.size};
    placement.shown.from = visible.from - drawn.from;
    settings.size = drawn.size;
  }
  return placement;
}

}  // namespace satdof
