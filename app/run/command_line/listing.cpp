#include "app/run/command_line/listing.h"

#include <vector>

#include "app/core/text/formatted.h"
#include "app/device/device.h"
#include "app/filter/filter.h"
#include "app/io/codec.h"
#include "app/lab/experiment.h"
#include "app/lens/lens.h"
#include "app/lens/presets.h"
#include "app/run/system/portal_dialog.h"
#include "app/scene/bodies/solver.h"
#include "app/scene/model/gltf/extensions.h"
#include "app/scene/model/reader.h"
#include "app/trace/trace.h"

namespace satdof {

namespace {

void appendLine(std::string& lines, const char* kind, const char* name, const char* state, const char* summary) {
  lines += formatted("%-10s  %-19s  %s - %s\n", kind, name, state, summary);
}

template <class E, class Availability>
void append(std::string& lines, const char* kind, const Availability& availabilityOf) {
  for (const auto& entry : entries(E{})) {
    const satdof::Availability here = availabilityOf(entry.value);
    const std::string state = !here.available       ? "not available: " + here.reason
                              : here.reason.empty() ? "available"
                                                    : "available: " + here.reason;
    appendLine(lines, kind, entry.name, state.c_str(), entry.summary);
  }
}

// "PNG: read, also as depth; written with settings"
std::string summaryOf(const Codec& codec) {
  std::string text = std::string(codec.name) + ": read";
  if (codec.depth != nullptr) text += ", also as depth";
  if (codec.photograph != nullptr) text += ", with the depth beside an image";
  if (codec.isLight) text += ", also as environment";
  if (codec.isWritten()) text += "; written";
  if (codec.isWritten() && codec.text != nullptr) text += " with settings";
  return text;
}

// A row of a table.
std::string rowOf(const std::vector<std::string>& cells) {
  std::string line = "|";
  for (const std::string& cell : cells) line.append(cell.empty() ? "" : " ").append(cell).append(" |");
  return line + "\n";
}

std::string tableOf(const std::vector<std::string>& columns) {
  std::string text = "<!-- no measurements -->\n\n" + rowOf(columns) + "|";
  for (std::size_t i = 0; i < columns.size(); ++i) text += "---|";
  return text + "\n";
}

std::string inCode(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text.append(text.empty() ? "`" : " `").append(word).append("`");
  return text;
}

}  // namespace

std::string formatTables() {
  std::string text = tableOf({"images", "files", "read", "approximated", "left out", "needs"});
  for (const Codec& codec : codecs())
    text += rowOf({codec.name, inCode(codec.extensions), codec.about.read, codec.about.approximated,
                   codec.about.leftOut, codec.about.needs});
  text.append("\n").append(tableOf({"models", "files", "read", "approximated", "left out"}));
  for (const ModelFormat& format : modelFormats())
    text += rowOf({format.name, inCode({format.extensions.begin(), format.extensions.end()}), format.about.read,
                   format.about.approximated, format.about.leftOut});
  text.append("\n").append(tableOf({"extension of glTF", "approximated", "needs"}));
  for (const gltf::Extension& extension : gltf::extensions())
    text += rowOf({inCode({std::string(extension.name)}), extension.approximated, extension.needs});
  return text;
}

std::string listing() {
  const auto always = [](auto) { return Availability{true, ""}; };
  std::string lines;
  append<DeviceId>(lines, "device", [](DeviceId device) {
    return device == DeviceId::automatic ? Availability{true, name(deviceOf(device).id)} : availability(device);
  });
  const auto ofCuda = [](auto variant) { return Availability{availability(variant)}; };
  append<Scan>(lines, "scan", ofCuda);
  append<Compaction>(lines, "compaction", ofCuda);
  append<Sort>(lines, "sort", ofCuda);
  append<TableFormat>(lines, "table-format", always);
  append<LensKind>(lines, "lens", [](LensKind lens) {
    return Availability{true, lens == LensKind::automatic ? name(lensOf(lens).kind) : ""};
  });
  append<LensOn>(lines, "lens-on", ofCuda);
  append<FilterVariant>(lines, "filter-variant", [](FilterVariant variant) {
    return variant == FilterVariant::automatic ? Availability{true, name(filterOf(variant).variant)}
                                               : availability(variant);
  });
  append<FilterForm>(lines, "filter-form", always);
  append<SceneKind>(lines, "scene", always);
  append<BodySolver>(lines, "solver", [](BodySolver solver) {
    return solver == BodySolver::automatic ? Availability{true, solverOf(BodiesSettings{}).name} : availability(solver);
  });
  append<Traversal>(lines, "traversal", ofCuda);
  append<InitialState>(lines, "initial", always);
  append<View>(lines, "view", always);
  for (const LensPreset& preset : lensPresets())
    appendLine(lines, "lens-preset", preset.name.c_str(), "available", (preset.title + ". " + preset.source).c_str());
  for (const lab::Experiment& experiment : lab::experiments())
    appendLine(lines, "experiment", experiment.id.c_str(), "available", experiment.title.c_str());
  const std::string noTrace = trace::unavailable();
  for (const trace::Kernel& kernel : trace::kernels())
    appendLine(lines, "kernel", kernel.name.c_str(),
               noTrace.empty() ? "available" : ("not available: " + noTrace).c_str(), kernel.summary.c_str());
  for (const trace::WhatIfRow& row : trace::whatIfs())
    appendLine(lines, "what-if", row.name, noTrace.empty() ? "available" : "not available", row.summary);
  for (const Codec& codec : codecs()) {
    const std::string library = codec.library == nullptr ? "" : codec.library();
    const std::string state =
        codec.library != nullptr && library.empty() ? "not available: built without its library" : "available";
    appendLine(lines, "format", codec.extensions.front().c_str() + 1,
               (state + (library.empty() ? "" : ": " + library)).c_str(), summaryOf(codec).c_str());
  }
  appendLine(lines, "dialog", "portal", hasPortalLibrary() ? "available" : "not available: built without libdbus",
             "the desktop's dialog for files, before zenity, kdialog and the window's own");
  return lines;
}

}  // namespace satdof
