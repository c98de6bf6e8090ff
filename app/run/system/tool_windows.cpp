#include "app/run/system/tool.h"

#include <stdexcept>

namespace satdof {

std::string runTool(const std::vector<std::string>&, const ToolWatch&) {
  throw std::runtime_error("programs are not run on Windows");
}

}  // namespace satdof
