#pragma once
#include "cuda/emulator/device.h"
#include "cuda/emulator/host.h"
#include "cuda/emulator/surface.h"
