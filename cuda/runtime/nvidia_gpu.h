#pragma once
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

namespace satdof::cuda {

// Whether Linux, with its file system at `root`, has an NVIDIA GPU, with or without a driver: an NVIDIA
// display controller on the PCI bus, a device node of the driver, or /dev/dxg (the GPU of Windows in WSL).
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
    return wordIn(device.path() / "vendor") == "0x10de" && wordIn(device.path() / "class").starts_with("0x03");
  });
}

// Why CUDA found no device. `error`: CUDA's message, which blames the driver even if there is no GPU.
inline std::string noDeviceReason(bool hasGpu, const char* error) {
  return hasGpu ? std::string("no CUDA device (") + error + ")" : "no NVIDIA GPU found";
}

}  // namespace satdof::cuda
