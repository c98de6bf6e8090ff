#include <algorithm>
#include <array>
#include <cmath>
#include <glm/geometric.hpp>
#include <limits>
#include <numbers>
#include <optional>
#include <tuple>
#include <utility>

#include "app/core/text/formatted.h"
#include "app/core/usage_error.h"
#include "app/lens/prescription/trace.h"

// In the model of LensSettings, light through the point a of the entrance pupil, of radius A, lands -f A (d a + D a
// (|a|^2 - 2/3)) from the middle of its spot, if focus is d diopters nearer than the origin of the light. D is
// LensSettings::spherical. Least squares over traced rays give d and D. The d of another colour gives axialColour, the
// d of another place of the image fieldCurvature.
namespace satdof {

namespace {

constexpr double kCornerMm = 21.6, kLateralMm = 12.0;  // of LensSettings::catEye and lateralColour
constexpr int kRings = 64, kFields = 10;
constexpr std::size_t kDirections = 24;

// The middle of ring i of n rings of equal area in the unit disc.
double ringRadius(int i, int n) { return std::sqrt((i + 0.5) / n); }
// The factors of d and D above.
double defocusAt(double a) { return a; }
double sphericalAt(double a) { return a * (a * a - 2.0 / 3.0); }
double directionOf(std::size_t i) { return (static_cast<double>(i) + 0.5) * std::numbers::pi / kDirections; }

// The fit y = x slope.
struct LeastSquares {
  double xx = 0.0, xy = 0.0, yy = 0.0;
  int count = 0;

  void add(double x, double y) {
    xx += x * x;
    xy += x * y;
    yy += y * y;
    ++count;
  }
  double slope() const { return xx > 0.0 ? xy / xx : 0.0; }
  double rms() const { return std::sqrt(yy / std::max(count, 1)); }
  double rmsLeft() const { return std::sqrt(std::max(yy - slope() * xy, 0.0) / std::max(count, 1)); }
};

// The outline of the light that passes, in the plane of the entrance pupil: distances from the middle of the outline in
// units of A, for directions from the meridian over half a turn.
using PupilOutline = std::array<double, kDirections>;

// The area of an outline in units of pi A^2.
double areaOf(const PupilOutline& outline) {
  double area = 0.0;
  for (const double radius : outline) area += radius * radius / kDirections;
  return area;
}

// The outline of the intersection of two discs of radius A, whose centres are `apart` radii apart.
PupilOutline twoStops(double apart) {
  const double s = 0.5 * apart;
  PupilOutline outline{};
  for (std::size_t i = 0; i < kDirections && s < 1.0; ++i) {
    const double side = s * std::sin(directionOf(i));
    outline[i] = std::sqrt(1.0 - side * side) - s * std::abs(std::cos(directionOf(i)));
  }
  return outline;
}

// The place between `in`, which passes, and `out`, which does not, where passing ends; by bisection.
template <class Passes>
double edgeOf(double in, double out, const Passes& passes) {
  constexpr int kHalvings = 24;
  for (int i = 0; i < kHalvings; ++i) {
    const double middle = 0.5 * (in + out);
    (passes(middle) ? in : out) = middle;
  }
  return in;
}

class LensFitter {
 public:
  explicit LensFitter(const Prescription& lens) : surfaces_(lens.surfaces) {
    for (std::size_t i = 0; i < surfaces_.size(); ++i) {
      if (surfaces_[i].stop) stop_ = i;
      tiny_ = std::min(tiny_, 1e-5 * surfaces_[i].semi);
      if (surfaces_[i].index != 1.0 && surfaces_[i].abbe == 0.0) coloured_ = false;
    }
  }

  LensFit fit() {
    findFirstOrder();
    findAperture();
    fitSpherical();
    fitAxialColour();
    fitBreathing();
    fitFields();
    return fit_;
  }

 private:
  void note(std::string text) { fit_.notes.push_back(std::move(text)); }
  // Adds a note if the option leaves much of a blur. before, after: root mean squares in mm without and with the
  // option.
  void noteLeft(const char* option, double before, double after) {
    constexpr double kVisibleMm = 0.01;
    if (after > 0.5 * before && after > kVisibleMm)
      note(formatted("%s describes this lens badly: %.2g of %.2g mm of blur are left", option, after, before));
  }

  // The ray through a point of the plane of the entrance pupil, from a distant point `slope` above the axis.
  LensRay sent(double x, double y, double slope) const {
    return {{x, y, pupilZ_}, glm::normalize(glm::dvec3(0.0, -slope, 1.0))};
  }
  // The place on the sensor where the ray lands, past all clear apertures; none if it misses a surface or is reflected.
  std::optional<glm::dvec3> landed(LensRay ray, SpectralLine line = SpectralLine::d) const {
    if (traceRay({surfaces_, line, false}, ray) != RayFate::passes) return std::nullopt;
    return ray.at(sensorZ_);
  }
  // Whether the ray of sent() passes all clear apertures.
  bool passes(double x, double y, double slope) const {
    LensRay ray = sent(x, y, slope);
    return traceRay({surfaces_}, ray) == RayFate::passes;
  }
  // Traces a ray so near the axis that its angles equal their sines.
  LensRay paraxial(LensRay ray, std::size_t end = kNoSurface) const {
    traceRay({surfaces_, SpectralLine::d, false, end}, ray);
    return ray;
  }

  void findFirstOrder() {
    const LensRay out = paraxial(sent(0.0, tiny_, 0.0));
    const double slope = out.along.y / out.along.z;
    f_ = fit_.focalLengthMm = -tiny_ / slope;
    sensorZ_ = fit_.backFocusMm = out.from.z - out.from.y / slope;
    if (!(f_ > 0.0 && sensorZ_ > 0.0 && std::isfinite(sensorZ_)))
      throw UsageError("the lens forms no image of distant points behind it");
    // The combination of these two rays that meets the centre of the stop comes from the centre of the entrance pupil.
    const double ofHeight = paraxial(sent(0.0, tiny_, 0.0), stop_).from.y;
    const double ofSlope = paraxial(sent(0.0, 0.0, tiny_ / f_), stop_).from.y;
    pupilZ_ = -ofSlope / ofHeight * f_;
    constexpr double kFarthest = 100.0;  // in focal lengths
    if (!(std::abs(pupilZ_) < kFarthest * f_))
      throw UsageError("the stop is in a focus: the entrance pupil is at infinity");
  }

  void findAperture() {
    RayFate fate = RayFate::passes;
    pupil_ = edgeOf(0.0, 2.0 * surfaces_.front().semi, [&](double height) {
      LensRay ray = sent(0.0, height, 0.0);
      const RayFate here = traceRay({surfaces_}, ray);
      if (here != RayFate::passes) fate = here;  // the last one is next to the edge
      return here == RayFate::passes;
    });
    if (fate == RayFate::reflected) throw UsageError("light is totally reflected before it fills the stop");
    if (pupil_ == 0.0) throw UsageError("no light along the axis passes");
    fit_.fNumber = f_ / (2.0 * pupil_);
    mmOfDiopter_ = -f_ * pupil_ * 1e-3;
  }

  LeastSquares onAxis(double basis(double), SpectralLine line = SpectralLine::d) const {
    LeastSquares fit;
    for (int i = 0; i < kRings; ++i) {
      const double a = ringRadius(i, kRings);
      if (const auto at = landed(sent(0.0, a * pupil_, 0.0), line)) fit.add(basis(a) * mmOfDiopter_, at->y);
    }
    return fit;
  }

  void fitSpherical() {
    for (int i = 0; i < 5; ++i) sensorZ_ -= 1e-3 * f_ * f_ * onAxis(defocusAt).slope();
    const LeastSquares fit = onAxis(sphericalAt);
    fit_.spherical = fit.slope();
    noteLeft("--spherical", fit.rms(), fit.rmsLeft());
  }

  // Diopters between the foci of red and blue. The model has green in the middle between them; the difference remains
  // as blur.
  void fitAxialColour() {
    if (!coloured_) {
      fit_.notes.emplace_back("a glass without Abbe number: --axial-colour and --lateral-colour stay 0");
      return;
    }
    const double red = onAxis(defocusAt, SpectralLine::c).slope();
    const double blue = onAxis(defocusAt, SpectralLine::f).slope();
    fit_.axialColour = blue - red;
    noteLeft("--axial-colour", 0.5 * std::abs(mmOfDiopter_) * std::hypot(red, blue),
             0.5 * std::abs(mmOfDiopter_) * std::abs(red + blue) / std::numbers::sqrt2);
  }

  // The lens focuses at the distance S from the entrance pupil by moving as a whole. Then tan' / tan = f / m, where a
  // slope of 1 is m mm in the image.
  void fitBreathing() {
    LeastSquares breathing;
    for (const double ofFocal : {10.0, 20.0, 40.0, 80.0}) {
      const double distance = ofFocal * f_, slope = tiny_ / f_;
      const LensRay axis =
          paraxial({{0.0, 0.0, pupilZ_ - distance}, glm::normalize(glm::dvec3(0.0, tiny_ / distance, 1.0))});
      const double imageZ = axis.from.z - axis.from.y * axis.along.z / axis.along.y;
      const double narrower = -f_ * slope / paraxial(sent(0.0, 0.0, slope)).at(imageZ).y;
      if (narrower > 0.0 && std::isfinite(narrower)) breathing.add(std::log(1.0 - 1.0 / ofFocal), std::log(narrower));
    }
    fit_.breathing = breathing.slope();
  }

  // The height in the plane of the entrance pupil at which the chief ray, to the centre of the stop, starts; by the
  // secant method.
  std::optional<double> chiefHeight(double slope) const {
    const auto missedBy = [&](double height) {
      LensRay ray = sent(0.0, height, slope);
      return traceRay({surfaces_, SpectralLine::d, false, stop_}, ray) == RayFate::passes
                 ? ray.from.y
                 : std::numeric_limits<double>::quiet_NaN();
    };
    double before = 0.0, height = 0.01 * pupil_, missedBefore = missedBy(before);
    for (int i = 0; i < 30; ++i) {
      const double missed = missedBy(height);
      if (std::abs(missed) < 1e-9 * surfaces_[stop_].semi) return height;
      const double next = height - missed * (height - before) / (missed - missedBefore);
      if (!std::isfinite(next)) return std::nullopt;
      before = std::exchange(height, next);
      missedBefore = missed;
    }
    return std::nullopt;
  }

  // The outline of light from a distant point; none if no light passes. `chief`: a height near the middle of the
  // outline.
  std::optional<PupilOutline> pupilOutline(double slope, double chief) const {
    constexpr int kSteps = 60;  // to both sides, up to 3 A
    const auto heightOf = [&](int i) { return chief + 3.0 * pupil_ * i / kSteps; };
    const auto onMeridian = [&](double height) { return passes(0.0, height, slope); };
    int low = -kSteps, high = kSteps;
    while (low <= kSteps && !onMeridian(heightOf(low))) ++low;
    while (high > low && !onMeridian(heightOf(high))) --high;
    if (low > kSteps) return std::nullopt;
    const double middle = 0.5 * (edgeOf(heightOf(low), heightOf(low - 1), onMeridian) +
                                 edgeOf(heightOf(high), heightOf(high + 1), onMeridian));
    PupilOutline outline;
    for (std::size_t i = 0; i < kDirections; ++i) {
      const double c = std::cos(directionOf(i)), s = std::sin(directionOf(i));
      outline[i] = edgeOf(0.0, 3.0, [&](double r) { return passes(r * pupil_ * s, middle + r * pupil_ * c, slope); });
    }
    return outline;
  }

  // By how many diopters rays next to the chief ray focus nearer than the sensor: x, rays beside it; y, rays above and
  // below it.
  std::optional<glm::dvec2> focusAt(double slope, double chief) const {
    const double part = 0.02, step = part * pupil_;
    const auto right = landed(sent(step, chief, slope)), left = landed(sent(-step, chief, slope)),
               above = landed(sent(0.0, chief + step, slope)), below = landed(sent(0.0, chief - step, slope));
    if (!right || !left || !above || !below) return std::nullopt;
    return glm::dvec2(right->x - left->x, above->y - below->y) / (2.0 * part * mmOfDiopter_);
  }

  void fitFields() {
    std::vector<std::pair<double, PupilOutline>> pupils;  // with distances from the axis in the image in mm
    LeastSquares curvature, foci, lateral;
    const glm::dvec2 axis = focusAt(0.0, 0.0).value_or(glm::dvec2(0.0));
    for (int i = 0; i < kFields; ++i) {
      const double mm = kCornerMm * ringRadius(i, kFields), slope = mm / f_;
      const auto chief = chiefHeight(slope);
      const auto outline = pupilOutline(slope, chief.value_or(0.0));
      if (!outline) {
        note(formatted("no light passes %.3g mm from the axis and beyond", mm));
        break;
      }
      pupils.emplace_back(mm, *outline);
      if (!chief) continue;
      if (const auto focus = focusAt(slope, *chief)) {
        const glm::dvec2 nearer = *focus - axis;
        curvature.add(slope * slope, 0.5 * (nearer.x + nearer.y));
        for (const double each : {nearer.x, nearer.y})  // the root mean square over an ellipse of light
          foci.add(slope * slope * mmOfDiopter_ / std::numbers::sqrt2, each * mmOfDiopter_ / std::numbers::sqrt2);
      }
      const LensRay ray = sent(0.0, *chief, slope);
      const auto red = landed(ray, SpectralLine::c), blue = landed(ray, SpectralLine::f);
      if (coloured_ && red && blue) lateral.add(0.02 * mm * mm * mm / (kLateralMm * kLateralMm), blue->y - red->y);
    }
    fit_.fieldCurvature = curvature.slope();
    noteLeft("--field-curvature", foci.rms(), foci.rmsLeft());
    fit_.lateralColour = lateral.slope();
    noteLeft("--lateral-colour", lateral.rms(), lateral.rmsLeft());
    fitPupils(pupils);
  }

  // Finds the cat's eyes whose outlines, centred on the traced outlines, differ from these by the least area, and their
  // vignetting.
  void fitPupils(const std::vector<std::pair<double, PupilOutline>>& pupils) {
    const auto differs = [&](double catEye) {
      double sum = 0.0;
      for (const auto& [mm, traced] : pupils) {
        const PupilOutline drawn = twoStops(catEye * mm / kCornerMm);
        for (std::size_t i = 0; i < kDirections; ++i)
          sum += std::abs(traced[i] * traced[i] - drawn[i] * drawn[i]) / kDirections;
      }
      return sum / static_cast<double>(pupils.size());
    };
    constexpr double kMax = 1.5, kMaxDiffers = 0.1;
    double best = 0.0, least = differs(best);
    for (double step = 0.05; step > 1e-4; step *= 0.1) {
      const double from = best;
      for (int i = -30; i <= 30; ++i) {
        const double each = std::clamp(from + i * step, 0.0, kMax), here = differs(each);
        if (here < least) std::tie(best, least) = std::tie(each, here);
      }
    }
    fit_.catEye = best;
    LeastSquares lost;
    for (const auto& [mm, traced] : pupils)
      lost.add(1.0 - areaOf(twoStops(best * mm / kCornerMm)), 1.0 - areaOf(traced));
    fit_.vignetting = std::clamp(lost.slope(), 0.0, 1.0);
    if (least > kMaxDiffers)
      note(formatted("--cat-eye describes this lens badly: %.0f %% of its discs differ", 100.0 * least));
  }

  const std::vector<LensSurface>& surfaces_;
  LensFit fit_;
  std::size_t stop_ = 0;
  bool coloured_ = true;          // all glasses have an Abbe number
  double tiny_ = 1.0;             // height of a paraxial ray in mm
  double f_ = 0.0, pupil_ = 0.0;  // focal length and A in mm
  double pupilZ_ = 0.0;           // of the entrance pupil, from the first vertex
  double sensorZ_ = 0.0;          // from the last vertex
  double mmOfDiopter_ = 0.0;      // -f A / 1000
};

}  // namespace

LensFit fitLens(const Prescription& lens) { return LensFitter(lens).fit(); }

}  // namespace satdof
