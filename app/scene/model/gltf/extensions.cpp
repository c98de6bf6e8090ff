#include "app/scene/model/gltf/extensions.h"

#include <algorithm>
#include <array>

namespace satdof::gltf {

namespace {

constexpr std::array kExtensions = {
    Extension{"EXT_mesh_gpu_instancing"},
    Extension{"EXT_meshopt_compression", "", "meshoptimizer", !SATDOF_HAS_MESHOPTIMIZER},
    Extension{"EXT_texture_webp", "", "libwebp", !SATDOF_HAS_WEBP},
    Extension{"KHR_draco_mesh_compression", "", "Draco", !SATDOF_HAS_DRACO},
    Extension{"KHR_lights_punctual", "of more than 16 lamps the first 16 shine; shadows fall on the ground alone"},
    Extension{"KHR_materials_emissive_strength"},
    Extension{"KHR_materials_pbrSpecularGlossiness", "converted to metal and roughness"},
    Extension{"KHR_materials_transmission", "drawn as blending, without refraction"},
    Extension{"KHR_materials_unlit"},
    Extension{"KHR_materials_volume", "a tint"},
    Extension{"KHR_mesh_quantization"},
    Extension{"KHR_meshopt_compression", "what only meshoptimizer 1.0 decodes is refused", "meshoptimizer",
              !SATDOF_HAS_MESHOPTIMIZER},
    Extension{"KHR_texture_basisu", "the image for other programs is shown, else none"},
    Extension{"KHR_texture_transform"}};

}  // namespace

std::span<const Extension> extensions() { return kExtensions; }

bool isRead(std::string_view extension) {
  const auto* const found = std::ranges::find(kExtensions, extension, &Extension::name);
  return found != kExtensions.end() && !found->isMissing;
}

}  // namespace satdof::gltf
