#pragma once

namespace satdof {

// Sets sizes and colours of Dear ImGui. `scale`: screen coordinates per pixel of a display without scaling.
void setStyle(float scale);

}  // namespace satdof
