#pragma once
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

namespace satdof::cuda {

// Whether Linux, with its file system at `root`, shows an NVIDIA GPU, with or without a driver: a display controller on
// the PCI bus, a node of the driver, or the node by which Windows lends its GPU.
inline bool showsNvidiaGpu(const std::filesystem::path& root) {
  constexpr const char* kNodes[] = {"dev/nvidia0", "dev/dxg"};
  std::error_code ignored;
  const auto exists = [&](const char* node) { return std::filesystem::exists(root / node, ignored); };
  if (std::ranges::any_of(kNodes, exists)) return true;
  const auto wordIn = [](const std::filesystem::path& file) {
    std::string word;
    std::ifstream(file) >> word;
    return word;
  };
  const std::filesystem::directory_iterator devices(root / "sys/bus/pci/devices", ignored);
  return std::any_of(begin(devices), end(devices), [&](const auto& device) {
    return wordIn(device.path() / "vendor") == "0x10de" &&
           wordIn(device.path() / "class").starts_with("0x03");
  });
}

// Why CUDA found no device. `error`: its text, which speaks of the driver also where there is no GPU.
inline std::string noDeviceReason(bool hasGpu, const char* error) {
  return hasGpu ? std::string("no CUDA device (") + error + ")" : "no NVIDIA GPU found";
}

}  // namespace satdof::cuda
