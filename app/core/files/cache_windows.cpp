#include "app/core/files/cache.h"

namespace satdof {

std::shared_ptr<const void> heldFile(const std::filesystem::path&) { return nullptr; }

std::optional<bool> removedUnheld(const std::filesystem::path&) { return std::nullopt; }

}  // namespace satdof
