#pragma once
#include "app/core/fields.h"

// The controls of a technique, in the panels of A and in the panel of B. `scope`: kTechniqueA or kTechniqueB.
namespace satdof {

void editView(Settings& settings, const Scope& scope);
void editLensModel(Settings& settings, const Scope& scope);
void editLensOn(Settings& settings, const Scope& scope);
void editTable(Settings& settings, const Scope& scope);
void editBokeh(Settings& settings, const Scope& scope);
void editBokehAlgorithms(Settings& settings, const Scope& scope);

}  // namespace satdof
