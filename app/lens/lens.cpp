#include "app/lens/lens.h"

#include <array>
#include <stdexcept>

#include "app/gl/software.h"
#include "app/lens/bokeh/bokeh.h"
#include "app/lens/box/box.h"
#include "app/lens/layered/layered.h"
#include "app/lens/reference/reference.h"
#include "app/lens/tent/tent.h"
#include "app/views/table_error.h"

namespace satdof {

namespace {

struct LensRow {
  LensKind kind;
  std::unique_ptr<Lens> (*make)(const Technique& technique);
  std::optional<NearField> nearField;  // none: it draws no sprites
};

constexpr std::array kLensTable = {
    LensRow{LensKind::box,
            [](const Technique& technique) { return makeSingleTableLens(technique, kThinLensRule); },
            NearField::gathered},
    LensRow{LensKind::tent, makeTentLens, NearField::gathered},
    LensRow{LensKind::gems,
            [](const Technique& technique) { return makeSingleTableLens(technique, kLinearRule); },
            std::nullopt},
    LensRow{LensKind::layered, makeLayeredLens, NearField::scatter},
    LensRow{LensKind::reference, makeReferenceLens, std::nullopt},
};

bool collectsHighlightsOnGpu(DeviceId device) {
  const DeviceId resolved = resolve(device);
  const bool onProcessor = resolved == DeviceId::cpu || resolved == DeviceId::cpuSequential;
  return resolved == DeviceId::cuda || !(onProcessor || gl::isSoftwareRenderer());
}

}  // namespace

LensKind resolve(LensKind lens) {
  if (lens != LensKind::automatic) return lens;
  return gl::isSoftwareRenderer() ? LensKind::box : LensKind::layered;
}

std::unique_ptr<Lens> makeLens(const Technique& technique) {
  if (technique.view == View::tableError) return makeTableErrorLens(technique);
  for (const auto& row : kLensTable)
    if (row.kind == resolve(technique.lens)) {
      // Without a GPU sprites cost more than all the rest: the automatic lens draws none.
      Technique chosen = technique;
      chosen.highlights &= technique.lens != LensKind::automatic || collectsHighlightsOnGpu(technique.device);
      return withBokeh(row.make(technique), chosen, row.nearField);
    }
  throw std::runtime_error(std::string("no lens is called ") + name(technique.lens));
}

}  // namespace satdof
