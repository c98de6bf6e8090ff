#pragma once
#include "cuda/emulator/device.h"
#include "cuda/emulator/host.h"
