#include "app/lens/prescription/prescription.h"

#include <gmock/gmock.h>

#include <cmath>
#include <glm/geometric.hpp>
#include <random>

#include "app/core/files/data_dir.h"
#include "app/core/files/files.h"
#include "app/core/usage_error.h"
#include "app/lens/prescription/trace.h"
#include "tests/support/reason.h"

namespace satdof {
namespace {

using testing::HasSubstr;

constexpr double kCorner = 21.6;  // mm from the axis

// The refractions and gaps of a lens as matrices for (height, slope), multiplied in the order of the light.
struct Abcd {
  double a = 1.0, b = 0.0, c = 0.0, d = 1.0;

  void after(const Abcd& m) { *this = {m.a * a + m.b * c, m.a * b + m.b * d, m.c * a + m.d * c, m.c * b + m.d * d}; }
};
Abcd matrixOf(const Prescription& lens, std::size_t surfaces) {
  Abcd all;
  double before = 1.0;
  for (std::size_t i = 0; i < surfaces; ++i) {
    const LensSurface& surface = lens.surfaces[i];
    all.after({1.0, 0.0, (before - surface.index) / surface.index * surface.curvature, before / surface.index});
    before = surface.index;
    if (i + 1 < lens.surfaces.size()) all.after({1.0, surface.thickness, 0.0, 1.0});
  }
  return all;
}

LensSurface stopOf(double semi, double thickness) { return {.thickness = thickness, .semi = semi, .stop = true}; }

// A lens of no thickness in its stop, of shape q = (r2 + r1) / (r2 - r1).
Prescription thinLensOf(double f, double index, double abbe, double q, double semi, double stopBefore = 0.0) {
  const double sum = q / (f * (index - 1.0)), difference = 1.0 / (f * (index - 1.0));
  const double wide = 4.0 * semi + std::abs(stopBefore);
  std::vector<LensSurface> surfaces{
      {.curvature = 0.5 * (sum + difference), .thickness = 1e-9, .index = index, .abbe = abbe, .semi = wide},
      {.curvature = 0.5 * (sum - difference), .thickness = std::max(-stopBefore, 0.0), .semi = wide}};
  surfaces.insert(stopBefore >= 0.0 ? surfaces.begin() : surfaces.end(), stopOf(semi, std::max(stopBefore, 0.0)));
  return {.surfaces = surfaces};
}

Prescription scaled(Prescription lens, double factor) {
  for (LensSurface& surface : lens.surfaces) {
    surface.curvature /= factor;
    surface.thickness *= factor;
    surface.semi *= factor;
  }
  return lens;
}

Prescription turned(const Prescription& lens) {
  Prescription back;
  const auto& all = lens.surfaces;
  for (std::size_t i = all.size(); i-- > 0;) {
    LensSurface surface = all[i];
    surface.curvature = -surface.curvature;
    surface.thickness = i > 0 ? all[i - 1].thickness : 0.0;
    surface.index = i > 0 ? all[i - 1].index : 1.0;
    surface.abbe = i > 0 ? all[i - 1].abbe : 0.0;
    back.surfaces.push_back(surface);
  }
  return back;
}

Prescription published(const char* name) {
  return readPrescription(readWholeFile(dataDir() / "assets/lenses" / name, 1 << 16));
}

TEST(Prescription, TracedLensesMatchTheirMatrices) {
  std::mt19937 random(3);
  std::uniform_real_distribution<double> curve(-0.015, 0.03), gap(0.5, 9.0), index(1.45, 1.9);
  int images = 0;
  for (int i = 0; i < 60; ++i) {
    Prescription lens{
        .surfaces = {{.curvature = curve(random), .thickness = gap(random), .index = index(random), .semi = 20},
                     {.curvature = curve(random), .thickness = gap(random), .index = index(random), .semi = 20},
                     {.curvature = -curve(random), .thickness = gap(random), .semi = 20},
                     stopOf(0.5, gap(random)),
                     {.curvature = curve(random), .thickness = gap(random), .index = index(random), .semi = 20},
                     {.curvature = curve(random), .semi = 20}}};
    const Abcd all = matrixOf(lens, lens.surfaces.size());
    const double f = -1.0 / all.c, back = f * all.a;
    if (!(f > 20.0 && f < 500.0 && back > 1.0)) continue;
    ++images;
    const LensFit fit = fitLens(lens);
    EXPECT_NEAR(fit.focalLengthMm, f, 1e-6 * f);
    EXPECT_NEAR(fit.backFocusMm, back, 1e-6 * f);
    // The beam parallel to the axis that fills the stop (radius 0.5) enters with the radius 0.5 / |a|.
    EXPECT_NEAR(fit.fNumber, f * std::abs(matrixOf(lens, 3).a) / (2 * 0.5), 0.002 * fit.fNumber);
  }
  EXPECT_GT(images, 10);
}

// For distant light, 1/s(h) - 1/s(0) =
// h^2 / (8 f^3 n (n - 1)) ((n + 2) q^2 / (n - 1) - 4 (n + 1) q + (3 n + 2) (n - 1) + n^3 / (n - 1))
// (Coddington; Jenkins and White 1976, 9.5).
TEST(Prescription, ThinLensesHaveTheSphericalAberrationOfTheThirdOrder) {
  const double f = 100.0, n = 1.6, h = 1.0;
  for (const double q : {-1.5, 0.0, 0.8, 2.0}) {
    const double bracket = (n + 2) / (n - 1) * q * q - 4 * (n + 1) * q + (3 * n + 2) * (n - 1) + n * n * n / (n - 1);
    const double diopters = 1000.0 * h * h / (8 * f * f * f * n * (n - 1)) * bracket;
    const LensFit fit = fitLens(thinLensOf(f, n, 60.0, q, h));
    EXPECT_NEAR(fit.focalLengthMm, f, 1e-6);
    EXPECT_NEAR(fit.spherical, diopters, 0.005 * std::abs(diopters)) << q;
  }
}

// Kepler: behind glass, a hyperboloid with k = -n^2 unites light along the axis in one point.
TEST(Prescription, AHyperboloidHasNoSphericalAberration) {
  const double n = 1.5, f = 50.0;
  Prescription lens{.surfaces = {{.thickness = 5.0, .index = n, .semi = 15.0, .stop = true},
                                 {.curvature = -1.0 / (f * (n - 1)), .semi = 18.0, .conic = -n * n}}};
  const LensFit fit = fitLens(lens);
  EXPECT_NEAR(fit.fNumber, f / 30.0, 1e-5);
  EXPECT_NEAR(fit.spherical, 0.0, 1e-8);
  lens.surfaces[1].conic = 0.0;
  EXPECT_GT(fitLens(lens).spherical, 1.0);
}

// Mean of the foci of a thin lens in its stop: 1/f (2 + 1/n) / 2 of the squared tangent (Conrady 1929).
TEST(Prescription, AThinLensCurvesItsField) {
  const double f = 1000.0, n = 1.5;
  EXPECT_NEAR(fitLens(thinLensOf(f, n, 60.0, 0.3, 2.0)).fieldCurvature, (2 + 1 / n) / 2 * 1000.0 / f, 0.002);
}

// A ball focuses distant light on a sphere about its centre: no astigmatism, C = 1 / (2 f).
TEST(Prescription, ABallFocusesOnASphere) {
  const double r = 200.0, n = 1.8, f = n * r / (2 * (n - 1));
  const Prescription ball{.surfaces = {{.curvature = 1 / r, .thickness = r, .index = n, .semi = 60.0},
                                       {.thickness = r, .index = n, .semi = 1.0, .stop = true},
                                       {.curvature = -1 / r, .semi = 60.0}}};
  const LensFit fit = fitLens(ball);
  EXPECT_NEAR(fit.focalLengthMm, f, 1e-5);
  EXPECT_NEAR(fit.fieldCurvature, 1000.0 / (2 * f), 0.02 * 1000.0 / (2 * f));
}

// From C to F the power of a thin lens changes by 1 / (f V).
TEST(Prescription, GlassesGiveAxialColours) {
  const double f = 100.0;
  EXPECT_NEAR(fitLens(thinLensOf(f, 1.52, 60.0, 0.7, 2.0)).axialColour, 1000.0 / (f * 60.0), 2e-3 * 1000 / (f * 60));
  // A crown with the power V1 / (V1 - V2), cemented to a flint: blue is where red is. A stronger flint takes blue
  // behind red.
  for (const double flint : {1.0, 0.5, 1.5}) {
    const double v1 = 60.0, v2 = 30.0, power1 = v1 / (v1 - v2) / f, power2 = -v2 / (v1 - v2) / f;
    const double c = power1 / 2 / 0.5, c3 = -c - power2 / 0.6;
    const Prescription pair{
        .surfaces = {{.curvature = c, .thickness = 1e-9, .index = 1.5, .abbe = v1, .semi = 9},
                     {.curvature = -c, .thickness = 1e-9, .index = 1.6, .abbe = v2 / flint, .semi = 9},
                     {.curvature = c3, .semi = 9},
                     stopOf(1.0, 0)}};
    const double expected = 1000.0 * (power1 / v1 + power2 / v2 * flint);
    EXPECT_NEAR(fitLens(pair).axialColour, expected, 1e-3) << flint;
  }
}

// With the stop in front, light from the edge of the field meets the lens off its centre and is bent towards the axis,
// blue most. So the red image is larger by stop distance / (f V). The least-squares fit of x by c x^3 over equal areas
// has c = 4/3.
TEST(Prescription, TheStopDecidesWhichColourIsLarger) {
  const double f = 400.0, apart = 40.0, v = 60.0, inCorner = 12.0 / kCorner;
  const LensFit front = fitLens(thinLensOf(f, 1.5, v, 0.0, 1.0, apart));
  const LensFit behind = fitLens(thinLensOf(f, 1.5, v, 0.0, 1.0, -apart));
  const double percent = 50.0 * apart / (f * v) * (4.0 / 3.0) * inCorner * inCorner;
  EXPECT_NEAR(front.lateralColour, percent, 0.03 * percent);
  EXPECT_LT(behind.lateralColour, -0.8 * percent);
}

// Focused at S, the field seen from the entrance pupil shrinks by (1 - f / S)^B. B = 1 for a stop in the lens;
// otherwise it follows from the ratio of the pupils.
TEST(Prescription, MovingTheLensNarrowsTheField) {
  EXPECT_NEAR(fitLens(thinLensOf(50.0, 1.5, 60.0, 0.0, 5.0)).breathing, 1.0, 1e-4);
  // The stop lies t f behind the lens. The entrance pupil lies t / (1 - t) f behind the lens; it is 1 / (1 - t) times
  // the exit pupil.
  const double t = 0.1, f = 50.0;
  const LensFit fit = fitLens(thinLensOf(f, 1.5, 60.0, 0.0, 5.0, -t * f));
  double above = 0.0, below = 0.0;
  for (const double far : {10.0, 20.0, 40.0, 80.0}) {
    const double object = far - t / (1 - t), image = 1 / (1 - 1 / object);  // from the lens, in f
    const double height =
        (image - t) / (1 - t);  // a slope of 1 leaves the lens with the slope 1 / (1 - t), through the stop
    above += std::log(1 / height) * std::log(1 - 1 / far);
    below += std::log(1 - 1 / far) * std::log(1 - 1 / far);
  }
  EXPECT_NEAR(fit.breathing, above / below, 1e-4);
}

// A rim of the size of the stop, `apart` in front of it: the pupil is the intersection of two circles.
TEST(Prescription, TwoStopsMakeTheCatsEyesOfTwoCircles) {
  const double f = 80.0, semi = 6.0, apart = 20.0;
  Prescription lens = thinLensOf(f, 1.5, 60.0, 0.0, semi);
  lens.surfaces.insert(lens.surfaces.begin(), LensSurface{.thickness = apart, .semi = semi * (1 + 1e-9)});
  const LensFit fit = fitLens(lens);
  EXPECT_NEAR(fit.fNumber, f / (2 * semi), 1e-4);
  EXPECT_NEAR(fit.catEye, kCorner / f * apart / semi, 2e-3);
  EXPECT_NEAR(fit.vignetting, 1.0, 5e-3);

  lens.surfaces[0].semi = 3.0 * semi;
  const LensFit wide = fitLens(lens);
  EXPECT_EQ(wide.catEye, 0.0);
  EXPECT_EQ(wide.vignetting, 0.0);
}

TEST(Prescription, PublishedLensesHaveTheirFocalLengthAndFNumber) {
  const LensFit gauss = fitLens(published("double-gauss-50.txt"));
  EXPECT_NEAR(gauss.focalLengthMm, 50.0, 0.5);
  EXPECT_NEAR(gauss.backFocusMm, 72.228 / 2, 0.02);
  EXPECT_NEAR(gauss.fNumber, 2.0, 0.03);

  Prescription table = published("triplet-100.txt");
  const LensFit triplet = fitLens(table);
  EXPECT_NEAR(triplet.focalLengthMm, 101.181, 0.001);
  EXPECT_NEAR(triplet.backFocusMm, 77.405, 0.001);
  EXPECT_NEAR(triplet.fNumber, 0.5 / 0.1443, 0.02 * 0.5 / 0.1443);

  // Smith's third-order sums for the edge of the stop and a point 21.248 mm off the axis: 0.1866 mm of spherical
  // aberration, and a mean focus 0.1407 mm in front of the image plane. The third order dominates at small stops and in
  // small fields.
  const double f = 101.181, na = 0.1443, tangent = 21.248 / f;
  const LensFit larger = fitLens(scaled(table, 10.0));
  EXPECT_NEAR(larger.fieldCurvature, 100.0 * 0.1407 / (f * f) / (tangent * tangent), 0.001);
  table.surfaces[4].semi *= 0.1;
  const LensFit darker = fitLens(table);
  EXPECT_NEAR(darker.fNumber, 10.0 * 0.5 / na, 0.01);
  EXPECT_NEAR(darker.spherical, 0.01 * 1000.0 * 0.1866 / (f * f * na), 2e-5);
}

TEST(Prescription, ScalingAndReversalHaveTheirLaws) {
  for (const char* const name : {"double-gauss-50.txt", "triplet-100.txt"}) {
    const Prescription lens = published(name);
    const LensFit fit = fitLens(lens), twice = fitLens(scaled(lens, 2.0)), back = fitLens(turned(lens));
    EXPECT_NEAR(twice.focalLengthMm, 2 * fit.focalLengthMm, 1e-6);
    EXPECT_NEAR(twice.fNumber, fit.fNumber, 1e-6);
    EXPECT_NEAR(twice.spherical, fit.spherical / 2, 1e-6);
    EXPECT_NEAR(twice.axialColour, fit.axialColour / 2, 1e-6);
    EXPECT_NEAR(twice.breathing, fit.breathing, 1e-6);
    EXPECT_NEAR(back.focalLengthMm, fit.focalLengthMm, 1e-6);
    EXPECT_NE(back.spherical, fit.spherical);
  }
}

// Invariants of traced rays: skewness is kept about the axis, and a reversed ray returns on its path.
TEST(Prescription, SkewRaysKeepTheirSkewness) {
  const Prescription lens = published("double-gauss-50.txt");
  for (const double turn : {0.0, 0.4, 1.3}) {
    LensRay ray{{7 * std::cos(turn), 7 * std::sin(turn), 0.0}, glm::normalize(glm::dvec3(0.0, -0.1, 1.0))};
    const double skew = ray.from.x * ray.along.y - ray.from.y * ray.along.x;
    ASSERT_EQ(traceRay({lens.surfaces}, ray), RayFate::passes);
    EXPECT_NEAR(ray.from.x * ray.along.y - ray.from.y * ray.along.x, skew, 1e-12);
    EXPECT_NEAR(glm::length(ray.along), 1.0, 1e-12);
  }
}

TEST(Prescription, RaysPassTheClearApertureAlone) {
  const std::vector<LensSurface> lens{{.curvature = 0.02, .thickness = 5.0, .index = 1.5, .semi = 10.0},
                                      {.semi = 20.0}};
  const auto fate = [&](double height, bool clips) {
    LensRay ray{{0.0, height, 0.0}, {0.0, 0.0, 1.0}};
    return traceRay({lens, SpectralLine::d, clips}, ray);
  };
  EXPECT_EQ(fate(9.9, true), RayFate::passes);
  EXPECT_EQ(fate(10.1, true), RayFate::misses);
  EXPECT_EQ(fate(10.1, false), RayFate::passes);
  EXPECT_EQ(fate(50.1, false), RayFate::misses) << "beside the sphere";
}

const std::string kSinglet = "stop 5 1 10\n50 4 1.5 20\n-50 0 1 20\n";

TEST(Prescription, ReadsTablesOfSeveralForms) {
  const Prescription plain = readPrescription(kSinglet);
  ASSERT_EQ(plain.surfaces.size(), 3u);
  EXPECT_TRUE(plain.surfaces[0].stop);
  EXPECT_EQ(plain.surfaces[1].curvature, 1 / 50.0);
  EXPECT_EQ(plain.surfaces[1].semi, 10.0);
  EXPECT_THAT(fitLens(plain).notes, testing::Contains(HasSubstr("without Abbe number")));

  // As lens files of pbrt have it: the plane in air is the stop.
  const double f = fitLens(plain).focalLengthMm;
  EXPECT_EQ(fitLens(readPrescription("# pbrt\n\n0 5 0 10\n50 4 1.5 20 # glass\r\n-50 0 0 20")).focalLengthMm, f);

  const Prescription named = readPrescription(
      "title: A lens: mine\nsource: me\nscale: 2\ncolumns: semi-diameter radius thickness index abbe conic\n"
      "5 stop 2.5 - - -\n5 +25 2 1.5 60 -0.5\n5 -2.5e1 - - 0 0\n");
  EXPECT_EQ(named.title, "A lens: mine");
  EXPECT_EQ(named.source, "me");
  EXPECT_NEAR(fitLens(named).focalLengthMm, f, 1e-9);
  EXPECT_EQ(named.surfaces[1].conic, -0.5);
  // A paraboloid has no edge.
  EXPECT_EQ(readPrescription("stop 5 1 - 10 0\n9 4 1.5 - 20 -1\n-50 0 1 - 20 0").surfaces[1].semi, 10.0);
  EXPECT_TRUE(readPrescription("inf 5 1 10\n50 4 1.5 20\n-50 0 1 20").surfaces[0].stop);
  EXPECT_TRUE(readPrescription("50 4 1.5 20 stop\n-50 0 1 20").surfaces[0].stop);
}

TEST(Prescription, RefusesOtherTextsInOneLine) {
  const auto with = [](const std::string& lines) { return lines + "50 4 1.5 20\n-50 0 1 20\n"; };
  std::string many = kSinglet;
  for (int i = 0; i < 100; ++i) many += "50 4 1 20\n";
  const std::vector<std::pair<std::string, std::string>> bad = {
      {"", "it has no surfaces"},
      {"# nothing\n title: x", "it has no surfaces"},
      {with(""), "it has no stop"},
      {with("stop 5 1 10\nstop 5 1 10\n"), "two stops, in the lines 1 and 2"},
      {with("0 5 1 10\n\n0 5 0 10\n"), "two stops, in the lines 1 and 3"},
      {with("stop 5 1 0\n"), "line 1: diameter 0: expected a number from 0.001"},
      {with("stop 5 1 -10\n"), "line 1: diameter -10"},
      {with("stop 5 1 -\n"), "line 1: diameter -"},
      {with("stop -5 1 10\n"), "line 1: thickness -5"},
      {with("stop inf 1 10\n"), "line 1: thickness inf"},
      {with("nan 5 1 10\n"), "line 1: radius nan"},
      {with("stop 5 nan 10\n"), "line 1: index nan"},
      {with("stop 5 0.5 10\n"), "line 1: index 0.5: expected a number from 1 to 5"},
      {with("stop 1e999 1 10\n"), "line 1: thickness 1e999"},
      {with("stop 5 1\n"), "line 1: 3 values"},
      {with("stop 5 1 10\n1 2 3 4 5\n"), "line 2: 5 values; expected radius thickness index diameter"},
      {with("stop 5 1 10mm\n"), "line 1: diameter 10mm"},
      {with("sotp 5 1 10\n"), "line 1: radius sotp"},
      {with("\x1b[2J 5 1 10\n"), "line 1: radius \\u001b[2J"},
      {with("scale: 0\nstop 5 1 10\n"), "line 1: scale 0"},
      {with("glass: BK7\n"), "line 1: unknown word \"glass\""},
      {with("columns: radius thickness\n"), "line 1: the column diameter is missing"},
      {with("columns: radius radius thickness diameter\n"), "line 1: a second column \"radius\""},
      {with("columns: radius thickness width\n"), "line 1: no column is called \"width\""},
      {with("stop 5 1 10\ntitle: late\n"), "line 2: a line with a colon must come before"},
      {"stop 5 1 10\n50 4 1.5 20\n", "line 2: the last surface must end in air"},
      {"stop 5 1 10\n9 4 1.5 20\n-50 0 1 20\n", "line 2: the surface is 20 mm wide, but its radius is 9 mm"},
      {many, "line 101: more than 100 surfaces"},
      {"stop 5 1 10\n-50 4 1.5 20\n50 0 1 20\n", "the lens forms no image"},
      {"stop 5 1 10\n0 4 1.5 20\n0 0 1 20\n", "the lens forms no image"},
      {"stop 5 1 10\n50 60 1.9 40\n-50 400 1 40\n50 4 1.5 80\n0 0 1 80\n", "the lens forms no image"},
      {"50 1 1.5 20\n-50 49.6 1 20\nstop 0 1 2\n", "the entrance pupil is at infinity"},
      {"0 12 1.9 20\n-11 5 1 20\nstop 0 1 40\n", "light is totally reflected before it fills the stop"},
  };
  for (const auto& [text, why] : bad)
    EXPECT_THAT(test::reasonOf<UsageError>([&text = text] { fitLens(readPrescription(text)); }),
                testing::AllOf(HasSubstr(why), testing::Not(HasSubstr("\n"))))
        << text;
}

// A split triplet with zonal aberration and with astigmatism that a mean focus hides (Smith, Modern Optical
// Engineering, 2008, page 485).
TEST(Prescription, NotesAberrationsThatTheSettingsDescribeBadly) {
  const LensFit fit =
      fitLens(readPrescription("51 8.8 1.564 60.8 50.2\n-441 0.03 - - 50.2\n35.3 7.8 1.564 60.8 44\n47.8 8.4 - - "
                               "40\n-254.8 2 1.648 33.8 36\n"
                               "28.3 10 - - 32\nstop 19.4 - - 31.38\n107.8 4.9 1.564 60.8 32\n-60.3 0 - - 32\n"));
  EXPECT_NEAR(fit.focalLengthMm, 99.79, 0.05);
  EXPECT_NEAR(fit.backFocusMm, 56.89, 0.05);
  EXPECT_NEAR(fit.fNumber, 2.0, 0.01);
  EXPECT_THAT(fit.notes, testing::ElementsAre(HasSubstr("--spherical describes this lens badly: 0.021 of 0.031 mm"),
                                              HasSubstr("--field-curvature describes this lens badly")));
  Prescription small = thinLensOf(50.0, 1.5, 60.0, 0.0, 2.0);
  small.surfaces.insert(small.surfaces.begin(), LensSurface{.thickness = 40.0, .semi = 5.0});
  EXPECT_THAT(fitLens(small).notes, testing::Contains(HasSubstr("no light passes")));
}

}  // namespace
}  // namespace satdof
