#include "app/render/why_not.h"

#include <algorithm>
#include <optional>
#include <stdexcept>

#include "app/core/fields.h"
#include "app/filter/mask.h"
#include "app/lens/lens.h"
#include "app/render/resolve.h"
#include "app/scene/image/image.h"
#include "app/scene/registry.h"
#include "app/views/views.h"

namespace satdof {

namespace {

// Input of the rows: the settings, and the technique of the field's side.
struct Query {
  const Settings& settings;
  const Technique& technique;

  const Device& device() const { return deviceOf(technique.device); }
  const LensRow& lens() const { return lensOf(technique.lens.kind); }
};

template <bool DeviceOptions::*kOption>
std::string onlyWith(const Query& query) {
  return missing(query.device(), kOption);
}

std::string blockSize(const Query& query) {
  if (std::string why = onlyWith<&DeviceOptions::kernels>(query); !why.empty()) return why;
  const auto& scan = *std::ranges::find(kScans, query.technique.table.scan, &ScanInfo::value);
  return scan.hasBlockSize ? "" : std::string(scan.name) + " chooses the block size";
}

std::string sprites(const Query& query) {
  Technique wanted = query.technique;
  wanted.bokeh.enabled = true;
  const Technique drawn = restingTechnique(query.settings, wanted);
  const LensRow& lens = lensOf(drawn.lens.kind);
  if (!lens.bokeh) return std::string("the ") + name(lens.kind) + " lens has no bokeh sprites";
  if (!drawn.bokeh.enabled) return "auto leaves out bokeh sprites, which are slow on this machine; choose a lens model";
  return {};
}

std::string spriteAlgorithms(const Query& query) {
  if (std::string why = sprites(query); !why.empty()) return why;
  return query.technique.bokeh.enabled ? onlyWith<&DeviceOptions::kernels>(query) : "bokeh is off";
}

std::string lensOn(const Query& query) {
  if (!query.lens().readsLensOn) return std::string("the ") + name(query.lens().kind) + " lens is drawn by OpenGL";
  return query.device().lenses ? "" : onlyWith<&DeviceOptions::kernels>(query);
}

// Returns `reason` unless a shown technique, A or B, resolved, reads a setting that both share.
std::string unlessRead(const Query& query, bool (*reads)(const Technique&), const char* reason) {
  const Settings& settings = query.settings;
  const auto readsShared = [&](const Technique& side) { return reads(restingTechnique(settings, side)); };
  const bool any = readsShared(settings.technique) || (settings.split.enabled && readsShared(settings.split.b));
  return any ? "" : reason;
}

std::string thinLens(const Query& query) {
  return unlessRead(
      query, [](const Technique& side) { return !lensOf(side.lens.kind).rule->linear; }, "the gems lens ignores it");
}

std::string oneView(const Query& query) {
  return unlessRead(
      query, [](const Technique& side) { return !lensOf(side.lens.kind).accumulates; },
      "the reference lens draws the scene from many points instead");
}

std::string drawnSprites(const Query& query) {
  return unlessRead(
      query, [](const Technique& side) { return side.bokeh.enabled; }, "bokeh sprites are off");
}

std::string blades(const Query& query) {
  return unlessRead(
      query, [](const Technique& side) { return lensOf(side.lens.kind).accumulates || side.bokeh.enabled; },
      "only bokeh sprites and the reference lens use blades");
}

std::string noFilter(const Query& query) { return query.settings.filter.mask.none() ? "no filter is chosen" : ""; }

std::string filterRadius(const Query& query) {
  const FilterSettings& filter = query.settings.filter;
  if (filter.mask.none()) return noFilter(query);
  if (filter.mask.isFile()) return "the file gives the size of its mask";
  return hasRadius(filter.mask) ? "" : "the filter " + filter.mask.text + " has a fixed size";
}

std::string converge(const Query& query) {
  const Settings& settings = query.settings;
  const Capability viewpoints = sceneRow(settings.scene.kind).capabilities.otherViewpoints;
  if (!viewpoints) return viewpoints.missing;
  if (settings.split.enabled) return "A and B are compared";
  if (settings.technique.view != View{}) return std::string("only in the view ") + titleOf(View{});
  if (settings.technique.lens.kind == LensKind::automatic) return {};
  return std::string("only with the lens model ") + name(LensKind::automatic);
}

std::string background(const Query& query) {
  const Capability can = sceneRow(query.settings.scene.kind).capabilities.background;
  return can ? "" : can.missing;
}

template <DepthMeaning kMeaning>
std::string onlyIfDepthMeans(const Query& query) {
  const auto meaning = depthMeaning(query.settings.scene.image);
  return meaning && *meaning != kMeaning ? std::string("only if the depth means ") + name(kMeaning) : "";
}

std::string edges(const Query& query) {
  return query.settings.scene.image.edgeRadiusPx == 0 ? "the edge radius is 0" : "";
}

std::string highlights(const Query& query) {
  return query.settings.scene.image.highlights <= 1.0f ? "no highlights are restored" : "";
}

template <bool SolverRow::*kReads>
std::string onlyOfSolvers(const Query& query) {
  const SolverRow& solver = solverOf(query.settings.scene.bodies);
  return solver.*kReads ? "" : std::string("the solver ") + solver.name + " ignores it";
}

std::string levelCompaction(const Query& query) {
  if (std::string why = onlyOfSolvers<&SolverRow::readsTreeOptions>(query); !why.empty()) return why;
  return compacts(query.settings.scene.bodies.traversal) ? "" : "the traversal does not compact";
}

struct Row {
  std::string_view path;  // fields of a technique: within the technique
  std::string (*whyNot)(const Query&);
};
constexpr Row kRows[] = {
    {"table.scan", onlyWith<&DeviceOptions::kernels>},
    {"table.blockSize", blockSize},
    {"table.reducePasses", onlyWith<&DeviceOptions::reducePasses>},
    {"bokeh.enabled", sprites},
    {"bokeh.compaction", spriteAlgorithms},
    {"bokeh.sort", spriteAlgorithms},
    {"lens.on", lensOn},
    {"lens.blades", blades},
    {"lens.bladeRotationDegrees", blades},
    {"lens.bladeCurvature", blades},
    {"lens.spherical", blades},
    {"lens.catEye", blades},
    {"lens.anamorphicRatio", thinLens},
    {"lens.nearScale", thinLens},
    {"lens.farScale", thinLens},
    {"lens.tiltXDegrees", thinLens},
    {"lens.tiltYDegrees", thinLens},
    {"lens.fieldCurvature", thinLens},
    {"lens.axialColour", thinLens},
    {"lens.highlightThreshold", drawnSprites},
    {"lens.overscan", oneView},
    {"filter.radiusPx", filterRadius},
    {"filter.variant", noFilter},
    {"filter.form", noFilter},
    {"quality.converge", converge},
    {"scene.background", background},
    {"scene.image.inverted", onlyIfDepthMeans<DepthMeaning::relative>},
    {"scene.image.nearM", onlyIfDepthMeans<DepthMeaning::relative>},
    {"scene.image.farM", onlyIfDepthMeans<DepthMeaning::relative>},
    {"scene.image.baselineMm", onlyIfDepthMeans<DepthMeaning::disparity>},
    {"scene.image.focalLengthPx", onlyIfDepthMeans<DepthMeaning::disparity>},
    {"scene.image.offsetPx", onlyIfDepthMeans<DepthMeaning::disparity>},
    {"scene.image.edgeContrast", edges},
    {"scene.image.highlightsFrom", highlights},
    {"scene.bodies.openingAngle", onlyOfSolvers<&SolverRow::isTree>},
    {"scene.bodies.traversal", onlyOfSolvers<&SolverRow::readsTreeOptions>},
    {"scene.bodies.sort", onlyOfSolvers<&SolverRow::readsTreeOptions>},
    {"scene.bodies.scan", onlyOfSolvers<&SolverRow::readsTreeOptions>},
    {"scene.bodies.compaction", levelCompaction},
};

}  // namespace

const Device& deviceFor(const Settings& settings, std::string_view path) {
  const Query query{settings, techniqueOf(settings, path)};
  return path.starts_with("scene.bodies.") ? deviceOf(solverOf(settings.scene.bodies).runsOn) : query.device();
}

const Technique& techniqueOf(const Settings& settings, std::string_view path) {
  return path.starts_with(kTechniqueB.path) ? settings.split.b : settings.technique;
}

std::string whyNot(const Settings& settings, std::string_view path) {
  std::string_view within = path;
  for (const Scope& scope : {kTechniqueA, kTechniqueB})
    if (path.starts_with(scope.path)) within.remove_prefix(std::string_view(scope.path).size());
  const auto* const row = std::ranges::find(kRows, within, &Row::path);
  if (row != std::end(kRows)) return row->whyNot({settings, techniqueOf(settings, path)});
  // A scene with a sky of its own reads angle and strength of an environment only if one is chosen.
  const char* const sharedSettings = sceneRow(settings.scene.kind).sharedSettings;
  const bool readsEnvironment = sharedSettings != nullptr && path.starts_with(sharedSettings) && path != sharedSettings;
  return readsEnvironment && settings.scene.model.environment.none() ? "no environment is chosen" : "";
}

std::string whyNot(const Settings& settings, std::string_view path, View value) {
  Technique shown = restingTechnique(settings, techniqueOf(settings, path));
  shown.view = value;
  if (std::string missing = missingFor(shown); !missing.empty()) return missing;
  if (viewOf(value).source != ViewSource::difference) return {};
  Technique a = restingTechnique(settings, settings.technique), b = restingTechnique(settings, settings.split.b);
  a.view = b.view = View{};
  return a == b ? "A and B are equal: change one of them" : "";
}

std::string whyNot(const Settings& settings, std::string_view, LensKind value) {
  return whyNot(settings.scene.kind, value);
}

std::string whyNot(SceneKind scene, LensKind lens) {
  const SceneRow& row = sceneRow(scene);
  const Capability can = row.capabilities.otherViewpoints;
  if (can || !lensOf(lens).accumulates) return {};
  return std::string("the ") + name(lens) + " lens cannot draw the scene " + row.name + ": " + can.missing +
         "; choose another lens";
}

std::string whyNot(const Settings& settings, std::string_view path, LensOn value) {
  const Technique technique = restingTechnique(settings, techniqueOf(settings, path));
  const Query query{settings, technique};
  const LensRow& lens = query.lens();
  if (!lens.readsLensOn || value == LensOn::automatic || value == LensOn::openGl) return {};
  const std::string notForLens = std::string("not for the ") + name(lens.kind) + " lens";
  if (value == LensOn::cpu) {
    const auto draws = std::ranges::find(devices(), true, &Device::lenses);
    if (!query.device().lenses) return std::string("only with the ") + name(draws->id) + " device";
    return lens.makeCpu == nullptr ? notForLens : "";
  }
  if (std::string why = onlyWith<&DeviceOptions::kernels>(query); !why.empty()) return why;
  return value != LensOn::cuda && !lens.convolves ? notForLens : "";
}

std::string whyNot(const Settings& settings, std::string_view, FilterForm value) {
  const FilterSettings& filter = settings.filter;
  if (value != FilterForm::separable || filter.mask.none()) return {};
  static std::optional<FilterSettings> read;  // a file is read once
  static bool separable = true;
  if (read != filter) {
    read = filter;
    try {
      separable = maskOf(filter).separable();
    } catch (const std::runtime_error&) {  // the filter tells why
      separable = true;
    }
  }
  return separable ? "" : "the mask is not the product of a row and a column";
}

}  // namespace satdof
