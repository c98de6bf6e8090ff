#include "cuda/runtime/nvidia_gpu.h"

#include <gtest/gtest.h>

#include "tests/support/temporary_folder.h"

namespace satdof::cuda {
namespace {

using test::TemporaryFolder;

constexpr const char* kError = "CUDA driver version is insufficient for CUDA runtime version";

// A file system with one device on the PCI bus.
class Machine {
 public:
  Machine(const char* vendor, const char* kind) {
    const auto device = root() / "sys/bus/pci/devices/0000:01:00.0";
    std::filesystem::create_directories(device);
    std::ofstream(device / "vendor") << vendor << "\n";
    std::ofstream(device / "class") << kind << "\n";
  }
  void addNode(const char* name) {
    std::filesystem::create_directories(root() / "dev");
    std::ofstream(root() / "dev" / name).close();
  }
  bool showsGpu() const { return showsNvidiaGpu(root()); }

 private:
  const std::filesystem::path& root() const { return folder_.path(); }
  TemporaryFolder folder_;
};

TEST(NvidiaGpu, IsADisplayControllerOnThePciBus) {
  EXPECT_TRUE(Machine("0x10de", "0x030000").showsGpu()) << "with a display";
  EXPECT_TRUE(Machine("0x10de", "0x030200").showsGpu()) << "in a data centre";
  EXPECT_FALSE(Machine("0x10de", "0x040300").showsGpu()) << "its sound";
  EXPECT_FALSE(Machine("0x1002", "0x030000").showsGpu()) << "of another vendor";
  EXPECT_FALSE(showsNvidiaGpu("/no such folder"));
}

TEST(NvidiaGpu, IsANodeOfItsDriver) {
  for (const char* node : {"nvidia0", "dxg"}) {
    Machine machine("0x1af4", "0x030000");
    EXPECT_FALSE(machine.showsGpu());
    machine.addNode(node);
    EXPECT_TRUE(machine.showsGpu()) << node;
  }
}

TEST(NvidiaGpu, TheErrorOfCudaIsToldOnlyOfAGpu) {
  EXPECT_EQ(noDeviceReason(false, kError), "no NVIDIA GPU found");
  EXPECT_EQ(noDeviceReason(true, kError), std::string("no CUDA device (").append(kError).append(")"));
}

}  // namespace
}  // namespace satdof::cuda
