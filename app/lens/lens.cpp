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
  std::unique_ptr<Lens> (*make)(const Method& method);
  std::optional<NearField> nearField;  // none: it draws no sprites
};

constexpr std::array kLensTable = {
    LensRow{LensKind::box, [](const Method& method) { return makeSingleTableLens(method, kThinLensRule); },
            NearField::gathered},
    LensRow{LensKind::tent, makeTentLens, NearField::gathered},
    LensRow{LensKind::gems, [](const Method& method) { return makeSingleTableLens(method, kLinearRule); },
            std::nullopt},
    LensRow{LensKind::layered, makeLayeredLens, NearField::spread},
    LensRow{LensKind::reference, makeReferenceLens, std::nullopt},
};

bool collectsHighlightsOnGpu(Backend backend) {
  const Backend resolved = resolve(backend);
  const bool onProcessor = resolved == Backend::cpu || resolved == Backend::cpuSequential;
  return resolved == Backend::cuda || !(onProcessor || gl::isSoftwareRenderer());
}

}  // namespace

LensKind resolve(LensKind lens) {
  if (lens != LensKind::automatic) return lens;
  return gl::isSoftwareRenderer() ? LensKind::box : LensKind::layered;
}

std::unique_ptr<Lens> makeLens(const Method& method) {
  if (method.view == View::tableError) return makeTableErrorLens(method);
  for (const auto& row : kLensTable)
    if (row.kind == resolve(method.lens)) {
      // Without a GPU sprites cost more than all the rest: the automatic lens draws none.
      Method chosen = method;
      chosen.highlights &= method.lens != LensKind::automatic || collectsHighlightsOnGpu(method.backend);
      return withHighlights(row.make(method), chosen, row.nearField);
    }
  throw std::runtime_error(std::string("no lens is called ") + name(method.lens));
}

}  // namespace satdof
