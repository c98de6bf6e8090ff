#pragma once
#include <filesystem>
#include <fstream>
#include <string>

namespace satdof::test {

// Whether the process runs whose number the file holds. A zombie does not run.
inline bool isRunning(const std::filesystem::path& pidFile) {
  std::string process, stat;
  if (!(std::ifstream(pidFile) >> process)) return false;
  std::getline(std::ifstream("/proc/" + process + "/stat"), stat);
  const auto name = stat.rfind(") ");
  return name != stat.npos && stat[name + 2] != 'Z';
}

}  // namespace satdof::test
