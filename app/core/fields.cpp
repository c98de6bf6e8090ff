#include "app/core/fields.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace satdof {

namespace {

// Converts to every type: probes how many initialisers an aggregate takes.
struct Anything {
  template <class T>
  operator T() const;
};

template <class Group, class... Members>
consteval std::size_t memberCount() {
  if constexpr (requires { Group{Members{}..., Anything{}}; })
    return memberCount<Group, Members..., Anything>();
  else
    return sizeof...(Members);
}

// Returns the member of `group` that contains the field: for the group "scene." and the field "scene.image.file",
// "image". Empty if the field is outside the group.
constexpr std::string_view memberOf(std::string_view group, const Field& field) {
  std::string_view scope = field.scope.path, key = field.key;
  if (scope.size() > group.size() && scope.starts_with(group))
    return scope.substr(group.size(), scope.find('.', group.size()) - group.size());
  if (!group.starts_with(scope)) return {};
  group.remove_prefix(scope.size());
  return key.starts_with(group) ? key.substr(group.size(), key.find('.', group.size()) - group.size()) : "";
}

// Returns the number of members of a group that have rows. A nested group counts once; its rows must be adjacent.
consteval std::size_t rowCount(std::string_view group) {
  std::size_t rows = 0;
  std::string_view last;
  describe(kAnySettings, [&](const Field& field, const auto&) {
    const std::string_view member = memberOf(group, field);
    rows += !member.empty() && member != last ? 1 : 0;
    last = member;
  });
  return rows;
}

// Whether the interpolation of each row fits its type: floats interpolate, integers may, all other types step or are
// fixed.
consteval bool rowsFitTypes() {
  bool fit = true;
  describe(kAnySettings, [&]<class T>(const Field& field, const T&) {
    const bool steps = field.interpolation == Interpolation::step, fixed = !field.takesKeys();
    // Coordinates of a tracked point belong to one object: between two objects they step.
    const bool isTrackedPoint = std::string_view(field.key).starts_with("lens.tracked");
    if constexpr (std::is_same_v<T, float>) fit &= steps == isTrackedPoint;
    if constexpr (!std::is_same_v<T, float> && !std::is_same_v<T, int>) fit &= steps || fixed;
    if constexpr (!isKeyed<T>) fit &= fixed;
  });
  return fit;
}

// A member without a row does not compile.
static_assert(memberCount<Settings>() == rowCount(""));
static_assert(memberCount<Technique>() == rowCount("technique."));
static_assert(memberCount<TableSpec>() == rowCount("technique.table."));
static_assert(memberCount<LensSpec>() == rowCount("technique.lens."));
static_assert(memberCount<BokehSpec>() == rowCount("technique.bokeh."));
static_assert(memberCount<LensSettings>() == rowCount("lens."));
static_assert(memberCount<FilterSettings>() == rowCount("filter."));
static_assert(memberCount<SceneSettings>() == rowCount("scene.") + 1);  // `typed` has none
static_assert(memberCount<TeapotsSettings>() == rowCount("scene.teapots."));
static_assert(memberCount<BodiesSettings>() == rowCount("scene.bodies."));
// The base class counts as one initialiser; `filmFrame` has no row.
static_assert(memberCount<ImageSettings>() - 1 + memberCount<DepthReading>() == rowCount("scene.image.") + 1);
static_assert(memberCount<ModelSettings>() == rowCount("scene.model."));
static_assert(memberCount<CameraSettings>() == rowCount("camera."));
static_assert(memberCount<SplitSettings>() == rowCount("split."));
static_assert(memberCount<QualitySettings>() == rowCount("quality."));
static_assert(memberCount<PresentSettings>() == rowCount("present."));
static_assert(rowsFitTypes());

}  // namespace

float between(Interpolation how, float from, float to, float t) {
  if (t <= 0.0f || from == to) return from;
  if (t >= 1.0f) return to;
  switch (how) {
    case Interpolation::step:
    case Interpolation::fixed:
      return from;
    case Interpolation::logarithmic:
      if (from > 0.0f && to > 0.0f) return from * std::pow(to / from, t);
      break;
    case Interpolation::diopters:
      return 1.0f / ((1.0f - t) / from + t / to);
    case Interpolation::angle:
      return from + t * std::remainder(to - from, 360.0f);
    case Interpolation::linear:
      break;
  }
  return from + t * (to - from);
}

void clampToRanges(Settings& settings) {
  describe(settings, []<class V>(const Field& field, V& value) {
    if constexpr (std::is_same_v<V, float> || std::is_same_v<V, int>)
      value = static_cast<V>(std::clamp(static_cast<double>(value), field.min, field.max));
  });
}

}  // namespace satdof
