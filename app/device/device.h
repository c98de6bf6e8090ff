#pragma once
#include <memory>
#include <span>
#include <string>

#include "app/core/settings.h"
#include "app/device/bokeh_collector.h"
#include "app/device/near_scatter.h"
#include "app/device/table.h"

namespace satdof {

// What can run here, and why not.
struct Availability {
  bool available = false;
  std::string reason;  // where not available: one sentence. Else what it runs on ("NVIDIA H100 80GB HBM3")
};

enum class DeviceKind { openGl, processor, cuda };

// The fields of a technique that a device reads. The others change nothing there.
struct DeviceOptions {
  bool scan = false;             // TableSpec::scan and blockSize
  bool reducePasses = false;     // TableSpec::reducePasses
  bool bokehAlgorithms = false;  // BokehSpec::compaction and sort
  bool lensOn = false;           // LensSpec::on
};

// One way of computing tables, near scatter and bokeh sprites.
struct Device {
  DeviceId id;
  DeviceKind kind;
  DeviceOptions uses;
  Availability (*probe)();
  // Throw std::runtime_error when memory runs out. Null for a device that is not built.
  MakeTableBuilder* makeTableBuilder;
  MakeNearScatter* makeNearScatter;
  MakeBokehCollector* makeBokehCollector;
};

// Every device, once.
std::span<const Device> devices();

// Everything below needs a current context.

// The device that `automatic` stands for here: cuda, else gl-compute on a GPU, else cpu. Any other is
// returned as it is.
DeviceId resolve(DeviceId device);
// The row of resolve(device).
const Device& deviceOf(DeviceId device);
// The same. Throws std::runtime_error with the reason when the device is not available.
const Device& availableDevice(DeviceId device);

// Whether `device` can run. The answer is found once and kept.
const Availability& availability(DeviceId device);
// Whether a device that reads this option can run.
const Availability& availability(Scan scan);
const Availability& availability(Compaction compaction);
const Availability& availability(Sort sort);
const Availability& availability(LensOn on);

// "cuda", or "gl-compute, gl-fragment": the names of the devices that read an option.
std::string devicesThatUse(bool DeviceOptions::*option);

// What `automatic` stands for where OpenGL's renderer is `renderer` (GL_RENDERER).
DeviceId preferredDevice(bool cudaAvailable, const std::string& renderer);

}  // namespace satdof
